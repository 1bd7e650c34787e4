import { ApiClient } from "../../shared/api-client.ts";

/** The key that tests start the service with. */
export const TEST_KEY = "vrs_bootstrap_key_of_the_tests";

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
    return this.request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }
}
