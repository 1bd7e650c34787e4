import { join } from "node:path";
import type { CDPSession, Page } from "playwright";
import { launchBrowser } from "../../test/support/drivers/browser/report-browser.ts";

/** The compared sizes, from a page as tall as a window to the largest likely page of a team. */
export const SIZES = [
  { title: "1 MP", width: 1280, height: 800 },
  { title: "4 MP", width: 1280, height: 3200 },
  { title: "12 MP", width: 1600, height: 7500 },
  { title: "40 MP", width: 2560, height: 15_600 },
] as const;
export type Size = (typeof SIZES)[number];

/** The baseline, one changed word, everything shifted down by some pixels, and other colors throughout. */
const PAGES = {
  baseline: { stock: "In stock", top: 0, isDark: false },
  word: { stock: "Sold out", top: 0, isDark: false },
  shifted: { stock: "In stock", top: 5, isDark: false },
  other: { stock: "In stock", top: 0, isDark: true },
} as const;
export type PageName = keyof typeof PAGES;
const NAMES: PageName[] = ["baseline", "word", "shifted", "other"];

/** The browser's default PNGs, which are smaller, and those with `optimizeForSpeed`, as this project captures them. */
const ENCODINGS = ["default", "speed"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** This size has files in both encodings. The others have files in the fast one. */
export const BOTH_ENCODINGS: Size["title"] = "12 MP";

export function fileOf(folder: string, page: PageName, size: Size, encoding: Encoding): string {
  return join(folder, `${page}-${size.title.replace(" ", "-")}-${encoding}.png`);
}

/** Renders every page in these sizes and passes on the files' bytes. */
export async function renderPages(
  sizes: readonly Size[],
  save: (page: PageName, size: Size, encoding: Encoding, png: Buffer) => Promise<void>,
): Promise<void> {
  const browser = await launchBrowser();
  try {
    for (const size of sizes) {
      const page = await browser.newPage({ viewport: { width: size.width, height: 800 } });
      const devtools = await page.context().newCDPSession(page);
      for (const name of NAMES) {
        await draw(page, name, size);
        const encodings = size.title === BOTH_ENCODINGS ? ENCODINGS : (["speed"] as const);
        for (const encoding of encodings)
          await save(name, size, encoding, await take(devtools, size, encoding));
      }
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

async function draw(page: Page, name: PageName, size: Size): Promise<void> {
  await page.setContent(documentOf(name, size));
  await page.waitForFunction(() => document.querySelectorAll("canvas[data-drawn]").length > 0);
}

async function take(devtools: CDPSession, { width, height }: Size, encoding: Encoding): Promise<Buffer> {
  const { data } = await devtools.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: encoding === "speed",
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  return Buffer.from(data, "base64");
}

const WORDS =
  "The quick brown fox jumps over the lazy dog while the shop keeps its shelves in order and its prices fair. ";
/** A card with its gap, px. */
const CARD = { width: 400, height: 380 };

/** Returns a shop's page: text, flat areas, borders and shadows, and photo-like canvases. */
function documentOf(name: PageName, { width, height }: Size): string {
  const { stock, top, isDark } = PAGES[name];
  const columns = Math.floor(width / CARD.width);
  const count = columns * Math.ceil(height / CARD.height);
  const cards = Array.from({ length: count }, (_, i) => {
    const photo = i % 9 === 0 ? "<canvas width=800 height=160></canvas>" : "";
    const stockText = i === Math.floor(count / 4) ? stock : "In stock";
    return `<section><h3>Article ${i}</h3>${photo}<b>${stockText}</b><p>${WORDS.repeat(5)}</p></section>`;
  });
  const colors = isDark ? "background: #123; color: #dee" : "background: #fff; color: #000";
  return `<!doctype html><style>
    body { margin: 0; padding-top: ${top}px; font: 16px sans-serif; width: ${width}px; height: ${height - top}px; overflow: hidden; ${colors} }
    header { background: ${isDark ? "#a42" : "#124"}; color: #fff; padding: 30px }
    main { display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 24px; padding: 24px }
    section { border: 1px solid #ccc; border-radius: 8px; padding: 16px; height: 322px; overflow: hidden; box-shadow: 0 2px 8px #0003 }
    canvas { width: 100%; height: 120px; display: block${isDark ? "; filter: hue-rotate(180deg)" : ""} }
    </style><header><h1>Shop</h1></header><main>${cards.join("")}</main><script>{${PAINT}}</script>`;
}

/** Fills the canvases with smooth colors and a grain that is the same each time. */
const PAINT = `
  let state = 1;
  const grain = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 28;
  const canvases = [...document.querySelectorAll("canvas")];
  for (const canvas of canvases) {
    const context = canvas.getContext("2d");
    const image = context.createImageData(800, 160);
    for (let i = 0; i < 800 * 160; i++) {
      const [x, y, noise] = [i % 800, Math.floor(i / 800), grain()];
      image.data.set([128 + 100 * Math.sin(x / 70 + y / 50) + noise, 128 + 80 * Math.cos(x / 90 - y / 30) + noise, 100 + 60 * Math.sin(y / 40) + noise, 255], i * 4);
    }
    context.putImageData(image, 0, 0);
  }
  requestAnimationFrame(() => requestAnimationFrame(() => canvases.forEach(canvas => { canvas.dataset.drawn = "yes"; })));
`;
