const SAMPLES = [
  "Hamburgefonstiv 0123456789 fi fl ffi @&%",
  "Ελληνικά · Кириллица · Việt",
  "漢字 かな カナ 한국어",
  "العربية עברית हिन्दी ไทย",
  "😀 👩🏽‍🚀 🇪🇺 ❤️ ✔",
];
const FAMILIES = [
  "serif",
  "sans-serif",
  "monospace",
  "system-ui",
  "Arial",
  "Helvetica",
  "Georgia",
  "Times New Roman",
  "Courier New",
  "Verdana",
  "Roboto",
  "Inter",
];
const WEIGHTS = [100, 300, 400, 600, 700, 900];

/** Size of the page, px. */
export const REFERENCE_SIZE = { width: 800, height: 1_000 };

/**
 * Returns a page with content that browsers, fonts and graphics draw differently. It has text in several scripts and
 * weights, emoji, gradients, shadows, form controls, a canvas, and SVG. It loads nothing and does not move.
 */
export function referencePage(): string {
  const scripts = SAMPLES.map(text => `<p>${text}`).join("");
  const families = FAMILIES.map(name => `<p style="font-family:'${name}'">${SAMPLES[0]} <i>${name}</i>`);
  // Generic names are keywords, so they have no quotes.
  const generic = FAMILIES.slice(0, 4).map(name => `<p style="font-family:${name}">${SAMPLES[0]}`);
  const weights = WEIGHTS.map(weight => `<span style="font-weight:${weight}">Weight ${weight} </span>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Reference</title><style>
    html { overflow: hidden; background: #fff }
    body { margin: 8px; font: 13px/1.3 sans-serif; caret-color: transparent }
    p { margin: 0; white-space: nowrap }
    .boxes > * { display: inline-block; width: 90px; height: 60px; margin: 6px; vertical-align: top }
  </style>
  ${generic.join("")}${families.join("")}
  <div style="font-size:17.3px">${scripts}</div>
  <p>${weights.join("")}
  <p style="transform:rotate(3deg);transform-origin:0 0;letter-spacing:.3px">Turned by three degrees</p>
  <div class="boxes" style="margin-top:30px">
    <b style="background:linear-gradient(37deg,#0af,#fa0 40%,#90c)"></b>
    <b style="background:radial-gradient(circle at 30% 40%,#fff,#076 70%,#000)"></b>
    <b style="background:conic-gradient(from 20deg,red,lime,blue,red);border-radius:50%"></b>
    <b style="box-shadow:3px 5px 9px #0008,inset 0 0 12px #36c;border-radius:13px 4px 21px"></b>
    <b style="background:#c33;filter:blur(2.5px) hue-rotate(40deg);opacity:.73"></b>
    <b style="border:3.5px dashed #174;transform:rotate(11deg) scale(.83)"></b>
  </div>
  <div>
    <button>Button</button> <input value="Text"> <input type="checkbox" checked> <input type="radio" checked>
    <select><option>Choice</option></select> <input type="range" value="30"> <progress value=".4"></progress>
    <meter value=".6"></meter> <input type="date" value="2026-01-02"> <input type="color" value="#3366cc">
    <textarea rows="2">Lines</textarea>
  </div>
  <canvas id="canvas" width="370" height="130"></canvas>
  <svg width="370" height="130" viewBox="0 0 370 130">
    <defs><linearGradient id="g"><stop stop-color="#f06"/><stop offset="1" stop-color="#06f"/></linearGradient>
    <filter id="f"><feGaussianBlur stdDeviation="2.3"/></filter></defs>
    <path d="M5 120C60 -40 130 190 190 20S300 90 360 10" fill="none" stroke="url(#g)" stroke-width="5.5"/>
    <circle cx="300" cy="90" r="27.5" fill="#0a7" filter="url(#f)"/><text x="20" y="60" font-size="19">SVG text</text>
  </svg>
  <script>(${draw})()</script></html>`;
}

/** Draws on the canvas. It runs in the page. */
function draw(): void {
  const canvas = document.querySelector("canvas");
  const context = canvas?.getContext("2d");
  if (!context) return;
  const fill = context.createLinearGradient(0, 0, 370, 130);
  fill.addColorStop(0, "#fc0");
  fill.addColorStop(1, "#03c");
  context.fillStyle = fill;
  context.shadowBlur = 7;
  context.shadowColor = "#000a";
  context.beginPath();
  context.ellipse(90, 65, 70.5, 41.2, 0.4, 0, 6.1);
  context.fill();
  context.font = "italic 21px serif";
  context.fillText("Canvas 漢 ж 😀", 150, 60);
  context.strokeText("Outlined", 150, 105);
}
