import { createHmac, timingSafeEqual } from "node:crypto";

/** 132 bits, as many characters of base64url. */
const SIGNATURE_CHARS = 22;

/** Addresses of things that open without an API key, for who has the link: each carries a signature that cannot be guessed. */
export class Links {
  readonly #baseUrl: string;
  readonly #key: string;

  /** @param baseUrl the service's public address, without a slash at the end */
  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  run(id: string): string {
    return `${this.#baseUrl}/v1/runs/${id}`;
  }

  report(runId: string): string {
    return `${this.#baseUrl}/v1/reports/${runId}?token=${this.#sign(`report ${runId}`)}`;
  }

  /** The signature names the team: a hash alone, known from elsewhere, opens nothing. */
  image(teamId: string, hash: string): string {
    return `${this.#baseUrl}/v1/images/${teamId}/${this.#sign(`image ${teamId} ${hash}`)}/${hash}.png`;
  }

  opensReport(runId: string, token: string): boolean {
    return this.#equals(`report ${runId}`, token);
  }

  opensImage(teamId: string, hash: string, signature: string): boolean {
    return this.#equals(`image ${teamId} ${hash}`, signature);
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url").slice(0, SIGNATURE_CHARS);
  }

  #equals(text: string, signature: string): boolean {
    const expected = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
