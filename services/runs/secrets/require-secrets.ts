import type { EntityManager } from "../../../mixins/database.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import { invalidField } from "../../../shared/errors.ts";
import { SECRET_ERRORS } from "../texts/projects.ts";
import { findSecrets, type SecretOwner } from "./secret.store.ts";
import { secretOwnerOf } from "./secret-owner.rule.ts";

/**
 * Checks that a project has all secrets that options refer to.
 * @throws ServiceError invalid_request that names the missing secret, or a file that only the command line reads
 */
export async function requireSecrets(em: EntityManager, of: SecretOwner, options: RunOptions): Promise<void> {
  for (const [session, { storageState, clientCertificates = [] }] of Object.entries(options.sessions ?? {})) {
    if (storageState !== undefined) throw invalidField("options", SECRET_ERRORS.storageState(session));
    const hasFiles = clientCertificates.some(({ certPath, keyPath }) => certPath ?? keyPath);
    if (hasFiles) throw invalidField("options", SECRET_ERRORS.certificateFile(session));
  }
  const names = secretNamesIn(options);
  if (names.length === 0) return;
  const owner = secretOwnerOf(of);
  const known = new Set((await findSecrets(em, owner)).map(({ name }) => name));
  const missing = names.find(name => !known.has(name));
  if (missing === undefined) return;
  const { project } = owner;
  const path = `/v1/projects/${encodeURIComponent(project)}/secrets/${encodeURIComponent(missing)}`;
  throw invalidField("options", SECRET_ERRORS.unknown(missing, project, path));
}
