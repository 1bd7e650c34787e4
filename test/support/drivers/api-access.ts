import { ApiClient } from "../../../shared/api/api-client.ts";

/** The API key of the tests' service. */
export const TEST_KEY = "vrs_bootstrap_key_of_the_tests";

/** The key of stored secrets, for nodes of tests with a database server. */
export const TEST_SECRET_KEY = Buffer.alloc(32, "tests").toString("base64");

/** A server of `/v1`. */
export abstract class ApiAccess {
  readonly key = TEST_KEY;

  abstract get baseUrl(): string;

  /** Returns a client with the bootstrap key, or another one. */
  client(apiKey = this.key): ApiClient {
    return new ApiClient({ baseUrl: this.baseUrl, apiKey });
  }

  /** Sends a bare request with the bootstrap key, for requests that our clients never send. */
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

  /** Posts JSON with the bootstrap key to another URL of the same service. */
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
