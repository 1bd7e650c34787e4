import { readFileSync } from "node:fs";

/** PEM texts of a certificate and its key. */
export interface KeyPair {
  cert: string;
  key: string;
}

/**
 * Reads a self-signed key pair for localhost, which is valid until 2126. `openssl req -x509 -newkey ec -pkeyopt
 * ec_paramgen_curve:prime256v1 -days 36500 -subj /CN=ada -addext subjectAltName=DNS:localhost -noenc` makes one.
 * The key of `locked` has the passphrase `swordfish`.
 */
export function readKeyPair(name: "localhost" | "ada" | "locked"): KeyPair {
  const read = (ending: string) =>
    readFileSync(new URL(`../fixtures/certificates/${name}.${ending}`, import.meta.url), "utf8");
  return { cert: read("pem"), key: read("key") };
}
