/**
 * The most used functions of Playwright's page and locators. Plugins get the whole page. Its own types need those of
 * Node, which a project with a configuration may not have.
 */

/** Options of functions that find elements by text. */
interface TextOptions {
  exact?: boolean;
}

interface Finders {
  locator(selector: string): PluginLocator;
  getByRole(role: string, options?: TextOptions & { name?: string | RegExp }): PluginLocator;
  getByLabel(text: string | RegExp, options?: TextOptions): PluginLocator;
  getByPlaceholder(text: string | RegExp, options?: TextOptions): PluginLocator;
  getByText(text: string | RegExp, options?: TextOptions): PluginLocator;
  getByTestId(id: string | RegExp): PluginLocator;
}

/** A locator of Playwright. */
export interface PluginLocator extends Finders {
  first(): PluginLocator;
  last(): PluginLocator;
  nth(index: number): PluginLocator;
  filter(options: { hasText?: string | RegExp; visible?: boolean }): PluginLocator;
  count(): Promise<number>;
  click(options?: { timeout?: number; force?: boolean }): Promise<void>;
  hover(options?: { timeout?: number }): Promise<void>;
  fill(value: string, options?: { timeout?: number }): Promise<void>;
  press(key: string, options?: { timeout?: number }): Promise<void>;
  check(options?: { timeout?: number }): Promise<void>;
  selectOption(value: string | string[]): Promise<unknown>;
  waitFor(options?: {
    state?: "attached" | "detached" | "visible" | "hidden";
    timeout?: number;
  }): Promise<void>;
  isVisible(): Promise<boolean>;
  textContent(): Promise<string | null>;
}

/** Playwright's page. */
export interface PluginPage extends Finders {
  url(): string;
  title(): Promise<string>;
  goto(url: string): Promise<unknown>;
  evaluate<Result>(script: () => Result): Promise<Result>;
  evaluate<Result, Argument>(script: (argument: Argument) => Result, argument: Argument): Promise<Result>;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    wheel(x: number, y: number): Promise<void>;
  };
}
