// @ts-check
import { PAGE_TEXTS } from "./texts.js";

/** Distance below the window at which thumbnails are loaded, before they scroll into view. */
const LOAD_AHEAD = "400px";

/** Loads each thumbnail when its card comes near the window. */
export function fillThumbnails() {
  const observer = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        fillThumbnail(target);
      }
    },
    { rootMargin: LOAD_AHEAD },
  );
  for (const thumb of document.querySelectorAll(".thumb")) observer.observe(thumb);
}

/** @param {Element} thumb */
function fillThumbnail(thumb) {
  const side = thumb.getAttribute("data-side");
  const source = thumb.closest(".card")?.querySelector(`img[data-kind="${side}"]`)?.getAttribute("src");
  if (!source) return;
  for (const image of thumb.querySelectorAll("image")) image.setAttribute("href", source);
}

/** Shows all times in the reader's zone. */
export function localizeTimes() {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ year: "numeric", month: "long", day: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short" },
  });
  for (const time of document.querySelectorAll("time")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    time.title = time.textContent ?? "";
    time.textContent = format.format(date);
  }
}

/** Connects the search field and the chips to the cards. */
export function startFilters() {
  const find = document.querySelector("#find");
  if (!(find instanceof HTMLInputElement)) return;
  const cards = [...document.querySelectorAll(".card")].filter(card => card instanceof HTMLElement);
  const chips = [...document.querySelectorAll(".chip")].filter(chip => chip instanceof HTMLButtonElement);
  const apply = () => showMatching(cards, find.value.trim().toLowerCase(), chips);
  find.addEventListener("input", apply);
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
      apply();
    });
  }
}

/**
 * Shows the cards that match the text and, for each kind of pressed chips, at least one of them.
 * @param {HTMLElement[]} cards @param {string} text @param {HTMLButtonElement[]} chips
 */
function showMatching(cards, text, chips) {
  const pressed = Map.groupBy(
    chips.filter(chip => chip.ariaPressed === "true"),
    chip => chip.dataset.filter ?? "",
  );
  const active = text !== "" || pressed.size > 0;
  let shown = 0;
  for (const card of cards) {
    const route = card.querySelector(".route")?.textContent?.toLowerCase() ?? "";
    const fits = route.includes(text) && matchesChips(card, pressed);
    card.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const holder of document.querySelectorAll(".stack, .same, .group")) foldAround(holder, active);
  const found = document.querySelector("#found");
  if (found) found.textContent = active ? PAGE_TEXTS.found(shown, cards.length) : "";
}

/** @param {HTMLElement} card @param {Map<string, HTMLButtonElement[]>} pressed */
function matchesChips(card, pressed) {
  const any = (/** @type {string} */ kind) =>
    (pressed.get(kind) ?? []).some(chip => chip.value === card.dataset[kind]);
  const fits = (/** @type {string} */ kind) => !pressed.has(kind) || any(kind);
  // "unstable" is in one row with the statuses, so it adds matches like one of them.
  const byStatus = !pressed.has("standing") && !pressed.has("stable");
  return (byStatus || any("standing") || any("stable")) && fits("viewport") && fits("environment");
}

/**
 * Hides groups without matches, and opens those with some. Closes again what only a filter had opened.
 * @param {Element} holder @param {boolean} active
 */
function foldAround(holder, active) {
  if (!(holder instanceof HTMLElement)) return;
  const matches = holder.querySelector(".card:not([hidden])") !== null;
  holder.hidden = !matches;
  if (!(holder instanceof HTMLDetailsElement)) return;
  if (active && matches && !holder.open) {
    holder.open = true;
    holder.dataset.openedByFilter = "";
  } else if (!active && "openedByFilter" in holder.dataset) {
    holder.open = false;
    delete holder.dataset.openedByFilter;
  }
}

/** Returns the indexes of the shown screenshots in their order. @returns {number[]} */
export function listedIndexes() {
  return [...document.querySelectorAll(".card:not([hidden])")].map(card =>
    Number(card.getAttribute("data-index")),
  );
}

/**
 * Returns an image's URL from the list, which holds the only copy. @param {Element} card @param {string} kind
 */
export function addressIn(card, kind) {
  return card.querySelector(`img[data-kind="${kind}"]`)?.getAttribute("src") ?? null;
}

/** Returns the URLs of all images of a card. @param {Element} card */
export function imagesOf(card) {
  return ["baseline", "current", "diff"].map(kind => addressIn(card, kind)).join(" ");
}

/** Returns the text of a card's remarks, without its diagnostics. @param {Element} card */
export function remarksOf(card) {
  const remarks = card.querySelectorAll(".remarks > li:not(.diagnostics)");
  return [...remarks].map(remark => remark.textContent).join(" ");
}
