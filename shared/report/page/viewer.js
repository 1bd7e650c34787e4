// @ts-check
import { foldPanels } from "./fold-panels.js";
import { addressIn, imagesOf, listedIndexes, remarksOf } from "./list.js";
import { labelsOf, MODES, modesOf } from "./modes.js";
import { byId, showMessage } from "./page.js";
import { Stage } from "./stage.js";
import { PAGE_TEXTS } from "./texts.js";

/** Below three flashes per second, which may be harmful, and fast enough to see movement. */
const BLINK_INTERVAL_MS = 700;
const ZOOM_STEP = 1.25;
const BLEND_STEP = 0.05;
const PAN_STEP_PX = 120;

/** Shows one screenshot at a time, over the list. */
export class Viewer {
  #dialog = byId("viewer", HTMLDialogElement);
  #blendInput = byId("blend", HTMLInputElement);
  #stage = new Stage(
    byId("stage", HTMLElement),
    zoom => this.#showZoom(zoom),
    blend => this.#showBlend(blend),
  );
  /** @type {import("./modes.js").Mode} */
  #mode = "side";
  #index = -1;
  /** The URLs of the open screenshot's images. */
  #images = "";
  #region = 0;
  #mask = false;
  #outline = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #blinkTimer;

  /** @param {import("./sheet.js").Screenshot[]} shots */
  constructor(shots) {
    this.shots = shots;
    this.#dialog.addEventListener("cancel", event => {
      event.preventDefault();
      this.close();
    });
    this.#blendInput.addEventListener("input", () =>
      this.#stage.setBlend(Number(this.#blendInput.value) / 100),
    );
    // Prevents a click from moving the focus. Otherwise, Space would press the button again instead of
    // fitting the page.
    this.#dialog.addEventListener("mousedown", event => {
      if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
    });
    foldPanels(this.#dialog);
    this.#applyMarks();
  }

  /** @type {Record<string, () => void>} */
  actions = {
    ...Object.fromEntries(MODES.map(mode => [mode, () => this.#setMode(mode)])),
    close: () => this.close(),
    next: () => this.#step(1),
    previous: () => this.#step(-1),
    "next-region": () => this.#goToRegion(this.#region + 1),
    "previous-region": () => this.#goToRegion(this.#region - 1),
    mask: () => this.#toggle("mask"),
    outline: () => this.#toggle("outline"),
    fit: () => this.#stage.fit(),
    actual: () => this.#stage.actual(),
    "zoom-in": () => this.#stage.zoomBy(ZOOM_STEP),
    "zoom-out": () => this.#stage.zoomBy(1 / ZOOM_STEP),
    left: () => this.#towards("baseline"),
    right: () => this.#towards("new"),
    "pan-left": () => this.#stage.panBy(PAN_STEP_PX, 0),
    "pan-right": () => this.#stage.panBy(-PAN_STEP_PX, 0),
    "pan-up": () => this.#stage.panBy(0, PAN_STEP_PX),
    "pan-down": () => this.#stage.panBy(0, -PAN_STEP_PX),
    copy: () => this.#copyLink(),
  };

  get isOpen() {
    return this.#dialog.open;
  }

  /** The open screenshot, or the one that was open. */
  get shot() {
    return this.shots[this.#index];
  }

  /**
   * Takes over the screenshots of a list that was rendered again. The open one is kept, and loaded again only if its
   * images changed.
   * @param {import("./sheet.js").Screenshot[]} shots
   */
  update(shots) {
    const { shot } = this;
    this.shots = shots;
    this.#index = shots.findIndex(each => each.anchor === shot?.anchor);
    const card = document.getElementById(`card-${this.#index}`);
    if (!this.isOpen) return;
    if (!card) this.close();
    else if (imagesOf(card) !== this.#images) this.#open(this.#index);
    else this.#showIndex();
  }

  /**
   * Opens the screenshot and mode of a URL that ends in `#id/mode`; closes without them. @param {string} hash
   */
  follow(hash) {
    const [anchor = "", mode = ""] = hash.replace(/^#/, "").split("/");
    const index = this.shots.findIndex(shot => shot.anchor === anchor);
    if (index < 0) {
      if (this.isOpen && anchor === "") this.#dialog.close();
      return;
    }
    this.#mode = MODES.find(each => each === mode) ?? "side";
    this.#open(index);
  }

  close() {
    if (!this.isOpen) return;
    history.replaceState(null, "", location.pathname + location.search);
    clearInterval(this.#blinkTimer);
    this.#stage.clear();
    this.#dialog.close();
    const link = document.querySelector(`#card-${this.#index} .card-open`);
    if (link instanceof HTMLElement && link.checkVisibility()) link.focus();
  }

  /** @param {number} index */
  #open(index) {
    const shot = this.shots[index];
    const card = document.getElementById(`card-${index}`);
    if (!shot || !card) return;
    this.#index = index;
    this.#images = imagesOf(card);
    if (!this.isOpen) this.#dialog.showModal();
    const sides = [shot.baseline, shot.current].filter(side => side !== null);
    const addressOf = (/** @type {string} */ kind) => addressIn(card, kind);
    byId("viewer-title", HTMLElement).textContent = shot.title;
    byId("viewer-why", HTMLElement).textContent = shot.why ?? "";
    this.#showFacts(card);
    this.#showIndex();
    if (sides.length > 0) this.#stage.load(shot, addressOf);
    else this.#stage.clear(remarksOf(card) || PAGE_TEXTS.noImage);
    for (const button of this.#modeButtons())
      button.disabled = !modesOf(shot).some(mode => mode === button.dataset.act);
    this.#button("mask").disabled = addressOf("diff") === null;
    this.#button("outline").disabled = shot.regions.length + shot.ignored.length === 0;
    this.#setMode(this.#mode);
    this.#goToRegion(0);
    this.#preloadNext();
  }

  /** Loads the next screenshot in advance. */
  #preloadNext() {
    const listed = listedIndexes();
    const card = document.getElementById(`card-${listed[listed.indexOf(this.#index) + 1]}`);
    for (const kind of card ? ["baseline", "current"] : []) {
      const address = card && addressIn(card, kind);
      if (address) new Image().src = address;
    }
  }

  #modeButtons() {
    return [...this.#dialog.querySelectorAll("button[data-mode]")].filter(
      button => button instanceof HTMLButtonElement,
    );
  }

  /** @param {import("./modes.js").Mode} wanted */
  #setMode(wanted) {
    const shot = this.shots[this.#index];
    if (!shot) return;
    this.#mode = wanted;
    const modes = modesOf(shot);
    const mode = modes.includes(wanted) ? wanted : (modes[0] ?? "new");
    for (const button of this.#modeButtons()) button.ariaPressed = String(button.dataset.act === mode);
    this.#stage.setMode(mode, labelsOf(shot, mode));
    const blends = mode === "swipe" || mode === "overlay";
    byId("blend-label", HTMLElement).hidden = !blends;
    byId("blend-caption", HTMLElement).textContent =
      mode === "swipe" ? PAGE_TEXTS.swipeSlider : PAGE_TEXTS.overlaySlider;
    this.#stage.setBlend(this.#stage.blend);
    this.#blink(mode === "blink");
    history.replaceState(null, "", `#${shot.anchor}/${wanted}`);
  }

  /** @param {boolean} on */
  #blink(on) {
    clearInterval(this.#blinkTimer);
    const { dataset } = this.#stage.element;
    dataset.blink = "new";
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!on || still) return;
    this.#blinkTimer = setInterval(() => {
      dataset.blink = dataset.blink === "new" ? "baseline" : "new";
    }, BLINK_INTERVAL_MS);
  }

  /** ← and → depend on how the two sides are shown. @param {"baseline" | "new"} side */
  #towards(side) {
    const { dataset } = this.#stage.element;
    if (dataset.mode === "swipe" || dataset.mode === "overlay") {
      this.#stage.setBlend(this.#stage.blend + (side === "new" ? BLEND_STEP : -BLEND_STEP));
    } else if (dataset.mode === "blink") {
      clearInterval(this.#blinkTimer);
      dataset.blink = side;
    } else this.#setMode(side);
  }

  /** @param {number} by */
  #step(by) {
    const listed = listedIndexes();
    const next = listed[listed.indexOf(this.#index) + by];
    if (next === undefined) showMessage(by > 0 ? PAGE_TEXTS.lastScreenshot : PAGE_TEXTS.firstScreenshot);
    else this.#open(next);
  }

  /** @param {number} wanted */
  #goToRegion(wanted) {
    const regions = this.shots[this.#index]?.regions ?? [];
    this.#region = regions.length > 0 ? (wanted + regions.length) % regions.length : 0;
    byId("regions", HTMLElement).hidden = regions.length === 0;
    byId("region-place", HTMLElement).textContent = PAGE_TEXTS.regionIndex(this.#region + 1, regions.length);
    this.#stage.goToRegion(regions[this.#region], this.#region);
  }

  /** @param {"mask" | "outline"} mark */
  #toggle(mark) {
    if (mark === "mask") this.#mask = !this.#mask;
    else this.#outline = !this.#outline;
    this.#applyMarks();
  }

  #applyMarks() {
    this.#stage.element.classList.toggle("with-mask", this.#mask);
    this.#stage.element.classList.toggle("with-outline", this.#outline);
    this.#button("mask").ariaPressed = String(this.#mask);
    this.#button("outline").ariaPressed = String(this.#outline);
  }

  /** @param {string} act */
  #button(act) {
    const button = this.#dialog.querySelector(`button[data-act="${act}"]`);
    if (!(button instanceof HTMLButtonElement)) throw new Error(`the viewer has no button for ${act}`);
    return button;
  }

  /** @param {Element} card */
  #showFacts(card) {
    for (const [id, part] of Object.entries({
      "viewer-line": ".card-line",
      "viewer-remarks": ".remarks",
      "viewer-facts": ".facts",
    })) {
      const copy = card.querySelector(part)?.cloneNode(true);
      byId(id, HTMLElement).replaceChildren(...(copy ? [copy] : []));
    }
  }

  #showIndex() {
    const listed = listedIndexes();
    byId("viewer-place", HTMLElement).textContent = PAGE_TEXTS.screenshotIndex(
      listed.indexOf(this.#index) + 1,
      listed.length,
    );
  }

  /** @param {number} zoom */
  #showZoom(zoom) {
    byId("zoom", HTMLElement).textContent = PAGE_TEXTS.zoom(zoom);
  }

  /** @param {number} blend */
  #showBlend(blend) {
    this.#blendInput.value = String(Math.round(blend * 100));
  }

  async #copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      showMessage(PAGE_TEXTS.linkCopied);
    } catch {
      // Without HTTPS, and in files, some browsers have no clipboard.
      showMessage(PAGE_TEXTS.linkNotCopied);
    }
  }
}
