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

  /** Where alerts of a monitor can be snoozed without signing in, until that time. */
  snooze(teamId: string, monitorId: string, until: Date): string {
    const end = Math.floor(until.getTime() / 1_000);
    const signature = this.#sign(`snooze ${teamId} ${monitorId} ${end}`);
    return `${this.#baseUrl}/v1/alerts/snooze/${teamId}/${monitorId}/${end}/${signature}`;
  }

  /** Where an address can be spared a monitor's alerts. */
  unsubscribe(teamId: string, monitorId: string, address: string): string {
    const name = Buffer.from(address).toString("base64url");
    const signature = this.#sign(`unsubscribe ${teamId} ${monitorId} ${name}`);
    return `${this.#baseUrl}/v1/alerts/unsubscribe/${teamId}/${monitorId}/${name}/${signature}`;
  }

  opensReport(runId: string, token: string): boolean {
    return this.#equals(`report ${runId}`, token);
  }

  opensImage(teamId: string, hash: string, signature: string): boolean {
    return this.#equals(`image ${teamId} ${hash}`, signature);
  }

  /** @param end of its time, seconds since 1970, as the link has it */
  opensSnooze(teamId: string, monitorId: string, end: string, signature: string): boolean {
    return (
      this.#equals(`snooze ${teamId} ${monitorId} ${end}`, signature) && Number(end) * 1_000 > Date.now()
    );
  }

  /** @param name the address, as the link has it */
  opensUnsubscribe(teamId: string, monitorId: string, name: string, signature: string): boolean {
    return this.#equals(`unsubscribe ${teamId} ${monitorId} ${name}`, signature);
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
