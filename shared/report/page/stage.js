// @ts-check
import { listenToGestures } from "./gestures.js";
import { createMinimap } from "./minimap.js";
import { createLabel, createPane } from "./pane.js";
import { createSheet, unionOf } from "./sheet.js";
import { centerOn, clampView, MAX_ZOOM, viewOfRegion, zoomAt, zoomToFit, zoomToWidth } from "./view.js";

/** Shows a screenshot in one pane, or in two that move together, with the minimap. */
export class Stage {
  /** @type {import("./pane.js").Pane[]} */
  #panes = [];
  /** @type {ReturnType<typeof createMinimap> | null} */
  #minimap = null;
  #union = { width: 1, height: 1 };
  #view = { zoom: 1, x: 0, y: 0 };
  /** @type {"width" | "whole" | number} what the reader chose; a number is a zoom */
  #wanted = "width";
  /** @type {(() => void) | null} returns to the current region; null after the reader moved the view */
  #returnToRegion = null;
  #blend = 0.5;
  /** Whether the mask has the color `--diff` instead of its own. */
  isTinted = false;

  /** @param {HTMLElement} element @param {(zoom: number) => void} onZoom @param {(blend: number) => void} onBlend */
  constructor(element, onZoom, onBlend) {
    this.element = element;
    this.onZoom = onZoom;
    this.onBlend = onBlend;
    listenToGestures(element, {
      panBy: (dx, dy) => this.panBy(dx, dy),
      zoomBy: (factor, event) => this.#zoomAround(factor, event),
    });
    new ResizeObserver(() => this.#panes.length > 0 && this.#restoreView()).observe(element);
  }

  /** @param {import("./sheet.js").Screenshot} shot @param {(kind: string) => string | null} addressOf */
  load(shot, addressOf) {
    this.#union = unionOf(shot);
    this.#returnToRegion = null;
    // The actual size stays for the next page. Any other zoom was for one page.
    if (this.#wanted !== 1) this.#wanted = "width";
    const first = createPane(createSheet(shot, ["baseline", "current"], addressOf, this.isTinted));
    const second = createPane(createSheet(shot, ["current"], addressOf, this.isTinted));
    this.#panes = [first, second];
    first.port.append(this.#createDivider());
    const address = addressOf("current") ?? addressOf("baseline");
    this.#minimap = createMinimap(shot, this.#union, address, point => {
      this.#returnToRegion = null;
      this.#show(centerOn(point, this.#view, this.#union, this.#pane));
    });
    this.element.replaceChildren(first.element, second.element, this.#minimap.element);
  }

  /** Releases the images. @param {string} [reason] shown instead */
  clear(reason) {
    this.#panes = [];
    this.#minimap = null;
    const empty = document.createElement("p");
    empty.className = "empty";
    empty.textContent = reason ?? "";
    this.element.replaceChildren(...(reason ? [empty] : []));
  }

  /**
   * @param {import("./modes.js").Mode} mode @param {string[][]} labels of each pane: the sides that it shows
   */
  setMode(mode, labels) {
    this.element.dataset.mode = mode;
    for (const [index, { label }] of this.#panes.entries()) {
      label.replaceChildren(...(labels[index] ?? []).map(createLabel));
    }
    if (this.#panes.length > 0) this.#restoreView();
  }

  /** Sets the visible share of the new side in swipe and overlay, 0–1. @param {number} blend */
  setBlend(blend) {
    this.#blend = Math.min(1, Math.max(0, blend));
    this.#showBlend();
    this.onBlend(this.#blend);
  }

  get blend() {
    return this.#blend;
  }

  /** Returns whether the page is wider than the view. */
  get isWide() {
    return this.#union.width * this.#view.zoom > this.#pane.width + 1;
  }

  /** @param {import("./view.js").Region | undefined} region @param {number} index */
  goToRegion(region, index) {
    this.#returnToRegion = () => this.goToRegion(region, index);
    for (const { sheet } of this.#panes) {
      for (const [at, rect] of sheet.outlines.entries()) rect.classList.toggle("current", at === index);
    }
    // The stage goes there when it is shown.
    if (!this.#hasSize) return;
    const zoom = this.#zoomOf(this.#wanted);
    this.#show(region ? viewOfRegion(region, zoom, this.#union, this.#pane) : { zoom, x: 0, y: 0 });
  }

  /** Fits the whole page, or its width if the whole page is fitted. */
  fit() {
    this.#returnToRegion = null;
    const isWhole = Math.abs(this.#view.zoom - this.#zoomOf("whole")) < 1e-6;
    this.#zoomTo(isWhole ? "width" : "whole");
  }

  actual() {
    this.#returnToRegion = null;
    this.#zoomTo(1);
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.#returnToRegion = null;
    this.#zoomTo(this.#view.zoom * factor);
  }

  /** @param {number} dx @param {number} dy screen px */
  panBy(dx, dy) {
    this.#returnToRegion = null;
    this.#show({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy });
  }

  /**
   * Shows the region, or the previous center, in panes of another size. A pane may have no height before its
   * style loads.
   */
  #restoreView() {
    if (!this.#hasSize) return;
    if (this.#returnToRegion) this.#returnToRegion();
    else this.#zoomTo(this.#wanted);
  }

  /** The sheets of all panes, to which pages add their own marks. */
  get sheets() {
    return this.#panes.map(({ sheet }) => sheet.element);
  }

  /** Size of the page, px. */
  get size() {
    return this.#union;
  }

  /** Returns the point of the page under a point of the screen. @param {import("./gestures.js").ScreenPoint} event */
  pointOf(event) {
    const box = this.#paneAt(event)?.port.getBoundingClientRect();
    const { zoom, x, y } = this.#view;
    return {
      x: (event.clientX - (box?.left ?? 0) - x) / zoom,
      y: (event.clientY - (box?.top ?? 0) - y) / zoom,
    };
  }

  /** Brings a region into view at the current zoom. @param {import("./view.js").Region} region */
  center(region) {
    const { zoom } = this.#view;
    this.#returnToRegion = () => this.#show(viewOfRegion(region, zoom, this.#union, this.#pane));
    this.#returnToRegion();
  }

  /** Zoom and center of the view, px of the page. */
  get spot() {
    const { zoom, x, y } = this.#view;
    const { width, height } = this.#pane;
    return { zoom, x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom };
  }

  /** Shows a spot of the page. @param {{ zoom: number, x: number, y: number }} spot */
  goToSpot({ zoom, x, y }) {
    this.#returnToRegion = () => {
      const bounded = Math.min(MAX_ZOOM, Math.max(zoomToFit(this.#union, this.#pane) / 2, zoom));
      this.#wanted = bounded;
      this.#show(centerOn({ x, y }, { zoom: bounded, x: 0, y: 0 }, this.#union, this.#pane));
    };
    if (this.#hasSize) this.#returnToRegion();
  }

  /** The pane under a point of the screen; else the first one. @param {import("./gestures.js").ScreenPoint} event */
  #paneAt(event) {
    const over = this.#panes.find(({ port }) => {
      const box = port.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX <= box.right && event.clientY <= box.bottom;
    });
    return over ?? this.#panes[0];
  }

  /** Whether there is room for the page. A hidden stage has none, and its view must not change then. */
  get #hasSize() {
    const port = this.#panes[0]?.port;
    return port !== undefined && port.clientWidth > 0 && port.clientHeight > 0;
  }

  /** Size of a pane, px. Both have the same size. */
  get #pane() {
    const port = this.#panes[0]?.port;
    return { width: port?.clientWidth || 1, height: port?.clientHeight || 1 };
  }

  /** @param {"width" | "whole" | number} wanted */
  #zoomOf(wanted) {
    if (wanted === "width") return zoomToWidth(this.#union, this.#pane);
    return wanted === "whole" ? zoomToFit(this.#union, this.#pane) : wanted;
  }

  /**
   * @param {"width" | "whole" | number} wanted @param {{ x: number, y: number }} [point] px of the pane; its
   * center by default
   */
  #zoomTo(wanted, point) {
    if (!this.#hasSize) {
      this.#wanted = wanted;
      return;
    }
    const pane = this.#pane;
    const around = point ?? { x: pane.width / 2, y: pane.height / 2 };
    this.#show(zoomAt(this.#view, this.#zoomOf(wanted), around, this.#union, pane));
    this.#wanted = typeof wanted === "number" ? this.#view.zoom : wanted;
  }

  /**
   * @param {number} factor @param {import("./gestures.js").ScreenPoint} event the point that stays in place
   */
  #zoomAround(factor, event) {
    this.#returnToRegion = null;
    const box = this.#paneAt(event)?.port.getBoundingClientRect();
    if (!box) return;
    const point = { x: event.clientX - box.left, y: event.clientY - box.top };
    this.#zoomTo(this.#view.zoom * factor, point);
  }

  /** @param {import("./view.js").View} view */
  #show(view) {
    if (!this.#hasSize) return;
    const pane = this.#pane;
    this.#view = clampView(view, this.#union, pane);
    const { zoom, x, y } = this.#view;
    for (const { sheet } of this.#panes) {
      sheet.element.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
      // Hatching and outlines keep their size on the screen.
      sheet.element.style.setProperty("--px", `${1 / zoom}px`);
      // Messages in place of an image stay in view.
      sheet.element.style.setProperty("--left", `${Math.max(0, -x / zoom)}px`);
      sheet.element.style.setProperty("--across", `${pane.width / zoom}px`);
      sheet.element.style.setProperty("--top", `${Math.max(0, -y / zoom)}px`);
      sheet.element.classList.toggle("magnified", zoom >= 2);
    }
    this.#minimap?.show(this.#view, pane);
    this.#showBlend();
    this.onZoom(zoom);
  }

  #showBlend() {
    const pane = this.#panes[0];
    const layer = pane?.sheet.layers.get("current");
    if (!pane || !layer) return;
    const { mode } = this.element.dataset;
    const edge = this.#pane.width * (1 - this.#blend);
    const left = (edge - this.#view.x) / this.#view.zoom;
    layer.style.clipPath = mode === "swipe" ? `inset(0 0 0 ${Math.max(0, left)}px)` : "";
    layer.style.opacity = mode === "overlay" ? String(this.#blend) : "";
    const divider = pane.port.querySelector(".divider");
    if (divider instanceof HTMLElement) divider.style.left = `${edge}px`;
  }

  #createDivider() {
    const divider = document.createElement("div");
    divider.className = "divider";
    divider.addEventListener("pointerdown", event => {
      event.stopPropagation();
      divider.setPointerCapture(event.pointerId);
    });
    divider.addEventListener("pointermove", event => {
      const port = this.#panes[0]?.port;
      if (!port || !divider.hasPointerCapture(event.pointerId)) return;
      const box = port.getBoundingClientRect();
      this.setBlend(1 - (event.clientX - box.left) / box.width);
    });
    return divider;
  }
}
