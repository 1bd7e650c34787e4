import { z } from "zod";
import { type HostAccess, path } from "./token-api.ts";
import type { HookedRepository, NewHook, TokenClients } from "./token-host.ts";

/** How a kind of code host creates, changes and deletes the webhooks of a repository. */
interface HookDialect {
  /** The path of a repository's webhooks in the API. */
  pathOf(of: HookedRepository): string;
  bodyOf(made: NewHook): Record<string, unknown>;
  /** What only a new webhook names. */
  onlyNew?: Record<string, unknown>;
  changeMethod: "PUT" | "PATCH";
  /** Returns the webhook's id as text. */
  id: z.ZodType<string>;
}

/** A webhook with a number. */
export const numberedHook = z.object({ id: z.int() }).transform(({ id }) => String(id));

/** The webhooks of repositories. Every method throws HostError. */
export class TokenHooks {
  readonly #clients: TokenClients;
  readonly #dialect: HookDialect;

  constructor(clients: TokenClients, dialect: HookDialect) {
    this.#clients = clients;
    this.#dialect = dialect;
  }

  /** @returns the webhook's id */
  add(access: HostAccess, of: HookedRepository, made: NewHook): Promise<string> {
    const { id, pathOf, bodyOf, onlyNew } = this.#dialect;
    const body = { ...onlyNew, ...bodyOf(made) };
    return this.#clients.of(access).send(id, "POST", pathOf(of), { body });
  }

  async change(access: HostAccess, of: HookedRepository, hookId: string, made: NewHook): Promise<void> {
    const { id, pathOf, bodyOf, changeMethod } = this.#dialect;
    const body = bodyOf(made);
    await this.#clients.of(access).send(id, changeMethod, pathOf(of) + path`/${hookId}`, { body });
  }

  async delete(access: HostAccess, of: HookedRepository, hookId: string): Promise<void> {
    await this.#clients.of(access).send(z.unknown(), "DELETE", this.#dialect.pathOf(of) + path`/${hookId}`);
  }
}
