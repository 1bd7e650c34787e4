// @ts-check
import { fillThumbnails, listedIndexes, localizeTimes, startFilters } from "./list.js";
import { LIVE_PAGE_TEXTS } from "./live-texts.js";
import { byId, showMessage } from "./page.js";
import { data, pageActions, viewer } from "./report.js";

/** What approval changes. */
const OPEN = new Set(["changed", "new", "failed"]);

let revision = data.revision ?? 0;

/** Returns the cards that need review, in their order. @returns {HTMLElement[]} */
function openCards() {
  const cards = [...document.querySelectorAll(".card")].filter(card => card instanceof HTMLElement);
  return cards.filter(card => OPEN.has(card.dataset.standing ?? "") && currentOf(card) !== null);
}

/** Returns the URL of a card's new screenshot. @param {Element} card */
function currentOf(card) {
  return card.querySelector('img[data-kind="current"]')?.getAttribute("src") ?? null;
}

/** @param {string} text */
function showState(text) {
  const element = byId("live", HTMLElement);
  element.textContent = text;
  element.hidden = text === "";
}

function showOpen() {
  const { length } = openCards();
  const isWaiting = document.querySelector(".card") === null;
  showState(isWaiting ? "" : LIVE_PAGE_TEXTS.open(length));
  const all = document.querySelector('button[data-act="approve-all"]');
  if (all instanceof HTMLButtonElement) Object.assign(all, { disabled: length === 0, hidden: isWaiting });
}

/** Returns the card of the open screenshot, or the one with the focus. @returns {HTMLElement | null} */
function chosenCard() {
  if (viewer.isOpen) {
    const index = viewer.shot ? viewer.shots.indexOf(viewer.shot) : -1;
    return document.getElementById(`card-${index}`);
  }
  const card = document.activeElement?.closest(".card");
  return card instanceof HTMLElement ? card : null;
}

/** @param {boolean} isGroup whether to approve the same change on other screenshots too */
async function approveChosen(isGroup) {
  const card = chosenCard();
  if (card === null) return;
  const open = openCards();
  if (!open.includes(card)) return showMessage(LIVE_PAGE_TEXTS.nothing);
  const listed = listedIndexes().map(index => document.getElementById(`card-${index}`));
  const after = listed.slice(listed.indexOf(card) + 1).find(each => each !== null && open.includes(each));
  const next = after ?? open.find(each => each !== card);
  const anchor = next && viewer.shots[Number(next.dataset.index)]?.anchor;
  if (!(await approve([card], isGroup))) return;
  if (viewer.isOpen && anchor) viewer.follow(`#${anchor}/${location.hash.split("/")[1] ?? ""}`);
}

async function approveAll() {
  const open = openCards();
  if (open.length === 0) showMessage(LIVE_PAGE_TEXTS.nothingAtAll);
  else await approve(open, false);
}

/** @param {HTMLElement[]} cards @param {boolean} isGroup @returns {Promise<boolean>} whether they were approved */
async function approve(cards, isGroup) {
  const screenshots = cards.map(card => ({
    id: decodeURIComponent(viewer.shots[Number(card.dataset.index)]?.anchor ?? ""),
    image: currentOf(card),
  }));
  const response = await fetch("approve", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ screenshots, group: isGroup }),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  await refresh();
  const message = response?.ok
    ? LIVE_PAGE_TEXTS.approved(answer.approved)
    : (answer?.error?.message ?? LIVE_PAGE_TEXTS.stopped);
  showMessage(message);
  if (!response?.ok) showState(message);
  return response?.ok === true;
}

/** Shows the newest result in place: the filter, the folds, the focus and the open screenshot stay. */
async function refresh() {
  const response = await fetch("", { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return showState(LIVE_PAGE_TEXTS.stopped);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = JSON.parse(page.getElementById("report-data")?.textContent ?? "{}");
  if (fresh.revision === revision) return showOpen();
  revision = fresh.revision;
  document.title = page.title;
  const restore = keepState();
  for (const part of [".run", ".filters", "#screenshots"]) {
    const old = document.querySelector(part);
    const now = page.querySelector(part);
    if (old && now) old.replaceWith(now);
    else if (now) byId("screenshots", HTMLElement).before(now);
    else old?.remove();
  }
  viewer.update(fresh.screenshots);
  localizeTimes();
  startFilters();
  restore();
  fillThumbnails();
  showOpen();
}

/** Remembers what the user did to the list. @returns {() => void} a function that does it again */
function keepState() {
  const find = document.querySelector("#find");
  const text = find instanceof HTMLInputElement ? find.value : "";
  const chips = [...document.querySelectorAll('.chip[aria-pressed="true"]')].map(chipName);
  const open = [...document.querySelectorAll("details.group[open]")].map(groupName);
  const { activeElement } = document;
  const focused = activeElement?.id === "find" ? "#find" : activeElement?.getAttribute("href");
  return () => {
    for (const group of document.querySelectorAll("details.group"))
      if (group instanceof HTMLDetailsElement && open.includes(groupName(group))) group.open = true;
    for (const chip of document.querySelectorAll(".chip"))
      if (chips.includes(chipName(chip)) && chip instanceof HTMLElement) chip.click();
    const now = document.querySelector("#find");
    if (now instanceof HTMLInputElement && text !== "") {
      now.value = text;
      now.dispatchEvent(new Event("input"));
    }
    const links = [...document.querySelectorAll("#find, .card-open")];
    const target = links.find(each => (each.id === "find" ? "#find" : each.getAttribute("href")) === focused);
    if (target instanceof HTMLElement && !viewer.isOpen) target.focus();
  };
}

/** @param {Element} chip */
function chipName(chip) {
  return `${chip.getAttribute("data-filter")} ${chip.getAttribute("value")}`;
}

/** @param {Element} group */
function groupName(group) {
  return group.querySelector("h2")?.firstChild?.textContent;
}

Object.assign(pageActions, {
  approve: () => void approveChosen(false),
  "approve-group": () => void approveChosen(true),
  "approve-all": () => void approveAll(),
});

const events = new EventSource("events");
events.addEventListener("checking", () => showState(LIVE_PAGE_TEXTS.checking));
events.addEventListener("result", () => void refresh());
events.addEventListener("error", () => showState(LIVE_PAGE_TEXTS.stopped));
showOpen();
