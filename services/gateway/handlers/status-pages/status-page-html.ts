import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type {
  ComponentState,
  StatusComponent,
  StatusContent,
  StatusOutage,
} from "../../../../shared/contracts/monitors/status-pages.ts";
import { timeInWords } from "../../../../shared/text/dates.ts";
import { elapsed } from "../../../../shared/text/format.ts";
import { visibleLine } from "../../../../shared/text/visible-text.ts";
import { escaped } from "../../http/html-page.ts";
import { STATUS_PAGES } from "../../texts/pages.ts";

const STYLE = readFileSync(new URL("./status-page.css", import.meta.url), "utf8");
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const BAR = { width: 8, gap: 2, height: 28 };
/** The state of the page is the worst of its components. */
const WORST_FIRST: readonly ComponentState[] = ["outage", "maintenance", "unknown", "operational"];

/** Answers with a page of this module. It can't load anything or run scripts, and forms lead to this service. */
export function answerStatusHtml(res: ServerResponse, status: number, html: string): undefined {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.setHeader(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  res.writeHead(status).end(html);
}

/** Returns a status page. */
export function statusHtml({ title, at, components, outages }: StatusContent): string {
  const overall = WORST_FIRST.find(state => components.some(component => component.state === state));
  const main = `<h1>${text(title)}</h1>
<p class="overall ${overall ?? "unknown"}" role="status">${STATUS_PAGES.overall[overall ?? "unknown"]}</p>
<ul>${components.map(componentHtml).join("")}</ul>
<h2>${STATUS_PAGES.outages}</h2>
${outages.length === 0 ? `<p class="quiet">${STATUS_PAGES.noOutages}</p>` : `<ul>${outages.map(outageHtml).join("")}</ul>`}
<footer>${STATUS_PAGES.updated(timeHtml(at))}</footer>`;
  return document(title, main);
}

/** Returns the form of a protected page. */
export function passwordHtml(title: string, failure: string | null): string {
  const fault = failure === null ? "" : `<p class="fault" role="alert">${failure}</p>`;
  const main = `<h1>${text(title)}</h1><p>${STATUS_PAGES.isProtected}</p>
<form method="post"><label for="password">${STATUS_PAGES.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">${fault}
<button>${STATUS_PAGES.open}</button></form>`;
  return document(title, main);
}

/** Returns the page for an unknown URL. */
export function missingHtml(): string {
  return document(
    STATUS_PAGES.missingTitle,
    `<h1>${STATUS_PAGES.missingTitle}</h1><p>${STATUS_PAGES.missing}</p>`,
  );
}

/** Returns the page for a reader who has sent too many requests. */
export function busyHtml(): string {
  return document(STATUS_PAGES.title, `<h1>${STATUS_PAGES.title}</h1><p>${STATUS_PAGES.tooManyReads}</p>`);
}

function componentHtml({ name, state, uptime, days }: StatusComponent): string {
  const width = days.length * BAR.width - BAR.gap;
  const bars = days.map(({ date, uptime: share }, index) => {
    const kind = share === null ? "" : share < 1 ? "down" : "up";
    const x = index * BAR.width;
    return `<rect class="${kind}" x="${x}" y="0" width="${BAR.width - BAR.gap}" height="${BAR.height}" rx="1"><title>${STATUS_PAGES.day(date, share)}</title></rect>`;
  });
  return `<li class="${state}"><div class="head"><strong>${text(name)}</strong><span class="state">${STATUS_PAGES.states[state]}</span></div>
<svg viewBox="0 0 ${width} ${BAR.height}" preserveAspectRatio="none" role="img" aria-label="${STATUS_PAGES.chart(uptime)}">${bars.join("")}</svg>
<div class="scale quiet"><span>${STATUS_PAGES.from}</span><span>${STATUS_PAGES.uptime(uptime)}</span><span>${STATUS_PAGES.to}</span></div></li>`;
}

function outageHtml({ name, from, until }: StatusOutage): string {
  const length = until === null ? null : elapsed(from, until);
  return `<li><div class="head"><strong>${text(name)}</strong><span class="${until === null ? "outage state" : "quiet"}">${until === null ? STATUS_PAGES.ongoing : STATUS_PAGES.lasted(length ?? "0 s")}</span></div>
<span class="quiet">${STATUS_PAGES.began(timeHtml(from))}</span></li>`;
}

function timeHtml(iso: string): string {
  return `<time datetime="${iso}">${timeInWords(iso)}</time>`;
}

function text(value: string): string {
  return escaped(visibleLine(value));
}

function document(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text(title)}</title><style>${STYLE}</style></head>
<body><main>${main}</main></body>
</html>`;
}
