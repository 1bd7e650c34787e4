import { join } from "node:path";
import { chromium } from "playwright";

export const WIDTH = 3400;
export const HEIGHT = 10_000;

/** The pages compared: what the baseline shows, one changed word, and a notice that pushes everything down. */
const PAGES = {
  baseline: { stock: "In stock", notice: "" },
  small: { stock: "Sold out", notice: "" },
  large: {
    stock: "In stock",
    notice: `<div style="height:37px;background:#fd8">Delivery takes a day longer</div>`,
  },
} as const;

export type PageName = keyof typeof PAGES;

/** As the browser writes PNGs by default (smaller), and with `optimizeForSpeed` (as this project's capture does). */
export const ENCODINGS = ["default", "speed"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export function fileOf(folder: string, page: PageName, encoding: Encoding): string {
  return join(folder, `${page}-${encoding}.png`);
}

/** Renders every page in both encodings and hands over the files' bytes. */
export async function renderPages(
  executablePath: string | undefined,
  save: (page: PageName, encoding: Encoding, png: Buffer) => Promise<void>,
): Promise<void> {
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1000 } });
    const devtools = await page.context().newCDPSession(page);
    const clip = { x: 0, y: 0, width: WIDTH, height: HEIGHT, scale: 1 };
    for (const name of ["baseline", "small", "large"] as const) {
      await page.setContent(documentOf(name));
      await page.waitForFunction(() => document.querySelectorAll("canvas[data-drawn]").length > 0);
      for (const encoding of ENCODINGS) {
        const { data } = await devtools.send("Page.captureScreenshot", {
          format: "png",
          optimizeForSpeed: encoding === "speed",
          captureBeyondViewport: true,
          clip,
        });
        await save(name, encoding, Buffer.from(data, "base64"));
      }
    }
  } finally {
    await browser.close();
  }
}

const WORDS =
  "The quick brown fox jumps over the lazy dog while the shop keeps its shelves in order and its prices fair. ";

/** A shop's page: text, flat areas, borders and shadows, and photo-like canvases. */
function documentOf(name: PageName): string {
  const { stock, notice } = PAGES[name];
  const cards = Array.from({ length: 96 }, (_, i) => {
    const photo = i % 9 === 0 ? "<canvas width=800 height=160></canvas>" : "";
    return `<section><h3>Article ${i}</h3>${photo}<p>${WORDS.repeat(5)}</p><b>${i === 50 ? stock : "In stock"}</b></section>`;
  });
  return `<!doctype html><style>
    body { margin: 0; font: 16px sans-serif; width: ${WIDTH}px; height: ${HEIGHT}px }
    header { background: #124; color: #fff; padding: 30px }
    main { display: grid; grid-template-columns: repeat(4, 1fr); gap: 24px; padding: 24px }
    section { border: 1px solid #ccc; border-radius: 8px; padding: 16px; height: 355px; overflow: hidden; box-shadow: 0 2px 8px #0003 }
    canvas { width: 100%; height: 160px; display: block }
    </style><header><h1>Shop</h1></header>${notice}<main>${cards.join("")}</main><script>{${PAINT}}</script>`;
}

/** Fills the canvases with smooth colours and a grain that is the same each time. */
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
