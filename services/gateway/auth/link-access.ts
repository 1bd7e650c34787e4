import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { LinkRules } from "../../../shared/links/link-rules.ts";

/** How long an answer of the runs service is believed. A change is told at once; this bounds the case that the message got lost. */
const BELIEVED_MS = 10_000;
/** A page of the dashboard shows images of some twenty runs. */
const REMEMBERED = 1_000;

interface Known {
  rules: LinkRules | null;
  untilMs: number;
}

/** Knows what image links must satisfy, by team and run: a page asks for hundreds of images. */
export class LinkAccess {
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<LinkRules | null>>();
  #changes = 0;

  /** The rules of a run's image links, or of those of no run; null where none opens. */
  async rulesOf(bus: Bus, teamId: string, runId: string | null): Promise<LinkRules | null> {
    const name = `${teamId} ${runId ?? ""}`;
    const known = this.#known.get(name);
    if (known && known.untilMs > Date.now()) return known.rules;
    const asking = this.#asking.get(name) ?? this.#ask(bus, name, { teamId, runId });
    return asking;
  }

  /** Believes nothing any more of these teams and runs. */
  forget(ids: string[]): void {
    this.#changes += 1;
    this.#asking.clear();
    for (const name of this.#known.keys())
      if (name.split(" ").some(id => ids.includes(id))) this.#known.delete(name);
  }

  #ask(bus: Bus, name: string, asked: { teamId: string; runId: string | null }): Promise<LinkRules | null> {
    const before = this.#changes;
    const answer = call(bus, "runs.linkRules", asked)
      .then(rules => {
        // Perhaps this one's changed, while its answer was on its way.
        if (this.#changes === before) this.#keep(name, rules);
        return rules;
      })
      .finally(() => {
        if (this.#asking.get(name) === answer) this.#asking.delete(name);
      });
    this.#asking.set(name, answer);
    return answer;
  }

  #keep(name: string, rules: LinkRules | null): void {
    this.#known.delete(name);
    this.#known.set(name, { rules, untilMs: Date.now() + BELIEVED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}
