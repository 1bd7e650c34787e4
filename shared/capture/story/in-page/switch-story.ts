import type { SharedState } from "./shared-state.ts";

/**
 * Waits for the preview, loads the module of a story and those of others without rendering them, and sets globals. It
 * is sent to the page as text: it must use nothing from outside its body.
 */
export async function preloadStory({
  id: storyId,
  others,
  globals,
}: {
  id: string;
  others: readonly string[];
  globals: Record<string, unknown>;
}): Promise<void> {
  const POLL_MS = 50;
  interface Store {
    loadStory(story: { storyId: string }): Promise<unknown>;
    initializationPromise?: Promise<unknown>;
  }
  interface Preview {
    ready?(): Promise<unknown>;
    storyStoreValue?: Store;
    storyStore?: Store;
  }
  const read = (): Preview | undefined => Reflect.get(globalThis, "__STORYBOOK_PREVIEW__");
  while (read() === undefined) await new Promise(resolve => setTimeout(resolve, POLL_MS));
  const preview = read();
  await preview?.ready?.();
  const store = preview?.storyStoreValue ?? preview?.storyStore;
  await store?.initializationPromise;
  await store?.loadStory({ storyId });
  // The visit to another story reports why its module fails.
  await Promise.allSettled(others.map(other => store?.loadStory({ storyId: other })));
  const channel: { emit(event: string, values: unknown): void } | undefined = Reflect.get(
    globalThis,
    "__STORYBOOK_ADDONS_CHANNEL__",
  );
  if (Object.keys(globals).length > 0) channel?.emit("updateGlobals", { globals });
}

/**
 * Shows another story in the preview, with other args if there are any, and records what happens to it for `readStory`.
 * Attributes of the document's elements are as before the first story. It is sent to the page as text: it must use
 * nothing from outside its body.
 */
export async function selectStory({
  id: storyId,
  args,
}: {
  id: string;
  args: Record<string, unknown> | null;
}): Promise<void> {
  const KEY = Symbol.for("vrs.story");
  const EVENTS = [
    "playFunctionThrewException",
    "unhandledErrorsWhilePlaying",
    "storyThrewException",
    "storyErrored",
    "storyMissing",
    "configError",
    "storyFinished",
    "storyRendered",
  ];
  interface Channel {
    on(event: string, listener: (...values: unknown[]) => void): void;
    emit(event: string, ...values: unknown[]): void;
  }
  const channel: Channel = Reflect.get(globalThis, "__STORYBOOK_ADDONS_CHANNEL__");
  if (!Reflect.has(globalThis, KEY)) {
    for (const event of EVENTS)
      channel.on(event, (...values) => {
        const since: Map<string, unknown[]> = Reflect.get(globalThis, KEY);
        since.set(event, values);
      });
  }
  Object.defineProperty(globalThis, KEY, { value: new Map<string, unknown[]>(), configurable: true });
  window.scrollTo({ top: 0, left: 0, behavior: "instant" });
  /** Of Storybook and of vrs. */
  const isOwn = (name: string) => /^(storybook|vrs-|sb-|addon-|spellcheck$)/i.test(name);
  const putBack = (element: Element, attributes: Record<string, string>) => {
    const own = [...element.classList].filter(isOwn);
    const classes = [...own, ...(attributes.class ?? "").split(" ")].filter(name => name !== "");
    const wanted = { ...attributes, ...(classes.length > 0 && { class: classes.join(" ") }) };
    for (const { name } of [...element.attributes])
      if (!isOwn(name) && !(name in wanted)) element.removeAttribute(name);
    for (const [name, value] of Object.entries(wanted))
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const shared: SharedState | undefined = Reflect.get(globalThis, Symbol.for("vrs.shared"));
  if (shared !== undefined) {
    putBack(document.documentElement, shared.html);
    putBack(document.body, shared.body);
  }
  if (args !== null) {
    interface Store {
      loadStory(story: { storyId: string }): Promise<unknown>;
    }
    const preview: { storyStoreValue?: Store; storyStore?: Store } | undefined = Reflect.get(
      globalThis,
      "__STORYBOOK_PREVIEW__",
    );
    // Only a loaded story has args.
    await (preview?.storyStoreValue ?? preview?.storyStore)?.loadStory({ storyId });
    channel.emit("updateStoryArgs", { storyId, updatedArgs: args });
  }
  channel.emit("setCurrentStory", { storyId, viewMode: "story" });
}
