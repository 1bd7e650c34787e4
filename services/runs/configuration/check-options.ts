import type { EntityManager } from "../../../mixins/database.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { findUnknownNames } from "../../../shared/contracts/capture/plan-pages.ts";
import { invalidField } from "../../../shared/errors.ts";
import { fieldPath } from "../../../shared/text/describe-invalid.ts";
import { requireSecrets } from "../secrets/require-secrets.ts";
import type { SecretOwner } from "../secrets/secret.store.ts";
import { secretOwnerOf } from "../secrets/secret-owner.rule.ts";
import { findConfiguration } from "./configuration.store.ts";
import { addNamed } from "./merge-configuration.rule.ts";

/**
 * Checks the options of a monitor with the sessions and secrets of its project.
 * @throws ServiceError invalid_request that names what the project doesn't have
 */
export async function checkOptions(em: EntityManager, of: SecretOwner, options: RunOptions): Promise<void> {
  const stored = await findConfiguration(em, secretOwnerOf(of));
  const { sessions, environments } = stored?.settings ?? {};
  // All of the project, to suggest a similar name.
  const [unknown] = findUnknownNames({
    ...options,
    sessions: { ...sessions, ...options.sessions },
    environments: { ...environments, ...options.environments },
  });
  if (unknown) {
    const { route, field, message } = unknown;
    const path = fieldPath(["options", ...(route === null ? [] : ["perRoute", route]), ...field]);
    throw invalidField(path, message);
  }
  await requireSecrets(em, of, addNamed(options, stored?.settings ?? {}, []));
}
