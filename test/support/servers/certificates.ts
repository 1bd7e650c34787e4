import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts of a certificate and its key. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** Returns self-signed key pairs for localhost, one per name. @param passphrase of each key, if it has one */
export async function makeKeyPairs(names: readonly string[], passphrase?: string): Promise<KeyPair[]> {
  const folder = await mkdtemp(join(tmpdir(), "vrs-certificates-"));
  try {
    return names.map(name => {
      const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
      execFileSync(
        "openssl",
        [
          ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"],
          ...[
            "-subj",
            `/CN=${name}`,
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            key,
            "-out",
            cert,
          ],
          ...(passphrase === undefined ? ["-noenc"] : ["-passout", `pass:${passphrase}`]),
        ],
        { stdio: "ignore" },
      );
      return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
