import type { Region } from "../../../shared/compare/comparison.ts";
import type { Stage } from "../../../shared/report/page/stage.js";

/** A thread's region on the stage. */
export interface Pin {
  id: string;
  region: Region;
  /** Shown in its corner. */
  label: string;
  isResolved: boolean;
}

/** Shows the regions of threads on the stage. A click opens the thread. Returns a function that removes them. */
export function showPins(stage: Stage, pins: readonly Pin[], onOpen: (id: string) => void): () => void {
  const shown = stage.sheets.flatMap(sheet =>
    pins.map(pin => {
      const element = createPin(pin, onOpen);
      sheet.append(element);
      return element;
    }),
  );
  return () => {
    for (const element of shown) element.remove();
  };
}

function createPin({ id, region, label, isResolved }: Pin, onOpen: (id: string) => void): HTMLElement {
  const element = document.createElement("div");
  element.className = "pin";
  element.dataset.resolved = String(isResolved);
  placeAt(element, region);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", () => onOpen(id));
  // Otherwise, the stage takes it for the start of a drag.
  button.addEventListener("pointerdown", event => event.stopPropagation());
  element.append(button);
  return element;
}

function placeAt({ style }: HTMLElement, { x, y, width, height }: Region): void {
  style.left = `${x}px`;
  style.top = `${y}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

/** Lets the reader draw a box on the stage. Null if the reader gives up. Returns a function that ends it. */
export function pickRegion(stage: Stage, onPicked: (region: Region | null) => void): () => void {
  const { element } = stage;
  const ends = new AbortController();
  const { signal } = ends;
  element.classList.add("picking");
  const end = () => {
    ends.abort();
    element.classList.remove("picking");
  };
  const begin = (event: PointerEvent) => {
    const sheet = event.target instanceof Element ? event.target.closest(".port")?.firstElementChild : null;
    if (event.button !== 0 || !(sheet instanceof HTMLElement)) return;
    // The stage must not move the page.
    event.stopPropagation();
    event.preventDefault();
    const from = stage.pointOf(event);
    const box = document.createElement("div");
    box.className = "pin";
    sheet.append(box);
    const region = (to: PointerEvent) => regionBetween(from, stage.pointOf(to), stage.size);
    addEventListener("pointermove", moved => placeAt(box, region(moved)), { signal });
    addEventListener(
      "pointerup",
      moved => {
        box.remove();
        end();
        onPicked(region(moved));
      },
      { signal },
    );
  };
  element.addEventListener("pointerdown", begin, { capture: true, signal });
  addEventListener(
    "keydown",
    event => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      end();
      onPicked(null);
    },
    { capture: true, signal },
  );
  return end;
}

interface Point {
  x: number;
  y: number;
}

/** Returns the box between two points, in whole px within the page. A click is a small box around it. */
export function regionBetween(from: Point, to: Point, page: { width: number; height: number }): Region {
  const isClick = Math.abs(from.x - to.x) < 3 && Math.abs(from.y - to.y) < 3;
  const around = isClick ? 12 : 0;
  const within = (value: number, most: number) => Math.round(Math.min(most, Math.max(0, value)));
  const left = within(Math.min(from.x, to.x) - around, page.width - 1);
  const top = within(Math.min(from.y, to.y) - around, page.height - 1);
  const right = within(Math.max(from.x, to.x) + around, page.width);
  const bottom = within(Math.max(from.y, to.y) + around, page.height);
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
