import { ApiClient } from "../../../shared/api-client.ts";

/** The key that tests start the service with. */
export const TEST_KEY = "vrs_bootstrap_key_of_the_tests";

/** The key of stored secrets that tests with a database server give their nodes. */
export const TEST_SECRET_KEY = Buffer.alloc(32, "tests").toString("base64");

/** Something that answers `/v1`. */
export abstract class ApiAccess {
  readonly key = TEST_KEY;

  abstract get baseUrl(): string;

  /** A client with the bootstrap key, or another. */
  client(apiKey = this.key): ApiClient {
    return new ApiClient({ baseUrl: this.baseUrl, apiKey });
  }

  /** A bare request with the bootstrap key, for what no client of ours would send. */
  request(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const authorization = {
      Authorization: `Bearer ${this.key}`,
      ...Object.fromEntries(new Headers(headers)),
    };
    return fetch(`${this.baseUrl}${path}`, { ...init, headers: authorization });
  }

  /** Posts JSON with the bootstrap key. */
  post(path: string, body: unknown): Promise<Response> {
    return this.postTo(this.baseUrl, path, body);
  }

  /** Posts JSON with the bootstrap key to another address of the same service. */
  postTo(
    baseUrl: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }
}
