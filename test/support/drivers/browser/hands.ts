import type { Locator, Page } from "playwright";

/** What a user did for a task. */
export interface Effort {
  clicks: number;
  /** Key presses, without the characters of texts. */
  keys: number;
  /** Texts that were typed. */
  texts: number;
}

/** Uses a page as a user does, and counts it. */
export class Hands {
  readonly #page: Page;
  #effort: Effort = { clicks: 0, keys: 0, texts: 0 };

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.#effort.clicks += 1;
    await target.click();
  }

  /** Presses keys, one after the other. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#effort.keys += 1;
      await this.#page.keyboard.press(key);
    }
  }

  /** Types a text into the field that has the focus. Fails if none has, because a user would have to click. */
  async type(text: string): Promise<void> {
    await this.#page.waitForFunction(() => document.activeElement?.matches("input, textarea") === true);
    this.#effort.texts += 1;
    await this.#page.keyboard.type(text);
  }

  /** Returns the effort since the last call. */
  rest(): Effort {
    const effort = this.#effort;
    this.#effort = { clicks: 0, keys: 0, texts: 0 };
    return effort;
  }
}
