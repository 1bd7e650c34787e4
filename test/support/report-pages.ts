import pixelmatch from "pixelmatch";
import sharp from "sharp";

/** A page of a made-up shop, drawn rather than rendered: quick, and the same everywhere. */
export interface DrawnPage {
  width: number;
  title: string;
  /** Colour of the header's button. */
  button?: string;
  /** Price on the first offer. */
  price?: string;
  /** Adds a band above the footer, which makes the page taller. */
  banner?: boolean;
}

const BANNER_HEIGHT_PX = 180;

export function pageHeight({ width, banner }: DrawnPage): number {
  return (width < 600 ? 4200 : 3000) + (banner ? BANNER_HEIGHT_PX : 0);
}

export async function drawPage(page: DrawnPage): Promise<Buffer> {
  return await sharp(Buffer.from(pageSvg(page)))
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** The difference mask of two pages: transparent but for magenta pixels, of the union's size. */
export async function drawMask(
  before: Buffer,
  after: Buffer,
): Promise<{ png: Buffer; pixels: number; ratio: number }> {
  const [a, b] = await Promise.all([sharp(before).metadata(), sharp(after).metadata()]);
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const [first, second] = await Promise.all([raw(before, width, height), raw(after, width, height)]);
  const mask = new Uint8Array(width * height * 4);
  const pixels = pixelmatch(first, second, mask, width, height, {
    diffMask: true,
    diffColor: [255, 0, 255],
    threshold: 0.1,
  });
  const png = await sharp(mask, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { png, pixels, ratio: pixels / (width * height) };
}

async function raw(png: Buffer, width: number, height: number): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const { width: ownWidth, height: ownHeight } = await sharp(png).metadata();
  const image = sharp(png)
    .ensureAlpha()
    .extend({ right: width - ownWidth, bottom: height - ownHeight, background });
  return await image.raw().toBuffer();
}

function pageSvg(page: DrawnPage): string {
  const { width: w, title, button = "#0b6e4f", price = "29 €" } = page;
  const height = pageHeight(page);
  const pad = w < 600 ? 20 : 80;
  const columns = w < 600 ? 1 : 3;
  const gap = 24;
  const card = (w - 2 * pad - (columns - 1) * gap) / columns;
  const offers = Array.from({ length: 6 }, (_, index) => {
    const x = pad + (index % columns) * (card + gap);
    const y = 760 + Math.floor(index / columns) * 420;
    return offer(x, y, card, index, index === 0 ? price : `${19 + index * 7} €`);
  });
  const text = Array.from({ length: 14 }, (_, index) => {
    const y = (columns === 1 ? 3360 : 1760) + index * 34;
    return `<rect x="${pad}" y="${y}" width="${(w - 2 * pad) * (0.7 + 0.3 * Math.sin(index * 2.3) ** 2)}" height="12" rx="6" fill="#d5d9d3"/>`;
  });
  const footer = height - 320;
  const banner = page.banner
    ? `<rect y="${footer - BANNER_HEIGHT_PX}" width="${w}" height="${BANNER_HEIGHT_PX}" fill="#f3c969"/><text x="${pad}" y="${footer - 80}" font-size="32" font-weight="700" fill="#3b2f0b">Free delivery this week</text>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${height}" font-family="Open Sans, Liberation Sans, DejaVu Sans, sans-serif">
<rect width="${w}" height="${height}" fill="#fdfdfb"/>
<rect width="${w}" height="72" fill="#fff"/><rect y="71" width="${w}" height="1" fill="#e2e5df"/>
<circle cx="${pad + 14}" cy="36" r="14" fill="#0b6e4f"/><text x="${pad + 40}" y="44" font-size="22" font-weight="700" fill="#17211c">Greenhouse</text>
<rect x="${w - pad - 120}" y="16" width="120" height="40" rx="20" fill="${button}"/><text x="${w - pad - 60}" y="42" font-size="16" fill="#fff" text-anchor="middle">Sign in</text>
<rect y="72" width="${w}" height="560" fill="#e3efe6"/>
<text x="${pad}" y="260" font-size="${w < 600 ? 38 : 64}" font-weight="700" fill="#17211c">${title}</text>
<text x="${pad}" y="320" font-size="20" fill="#435048">Plants that arrive alive and stay it.</text>
<rect x="${pad}" y="370" width="180" height="52" rx="8" fill="#0b6e4f"/><text x="${pad + 90}" y="403" font-size="18" fill="#fff" text-anchor="middle">Have a look</text>
${w < 600 ? "" : `<circle cx="${w - 300}" cy="352" r="190" fill="#7fb08f"/><circle cx="${w - 240}" cy="300" r="110" fill="#4d8b62"/>`}
<text x="${pad}" y="716" font-size="28" font-weight="700" fill="#17211c">In season</text>
${offers.join("")}${text.join("")}${banner}
<rect y="${footer}" width="${w}" height="320" fill="#17211c"/><text x="${pad}" y="${footer + 80}" font-size="20" fill="#c9d6cd">Greenhouse, 12 Orchard Lane</text>
</svg>`;
}

function offer(x: number, y: number, width: number, index: number, price: string): string {
  const greens = ["#8fbf9f", "#c7b66f", "#a3c4bc", "#d9a79c", "#9db4d6", "#b7c98b"];
  return `<rect x="${x}" y="${y}" width="${width}" height="388" rx="12" fill="#fff" stroke="#e2e5df"/>
<path d="M${x} ${y + 12}a12 12 0 0 1 12-12h${width - 24}a12 12 0 0 1 12 12v228h-${width}Z" fill="${greens[index]}"/>
<circle cx="${x + width / 2}" cy="${y + 130}" r="70" fill="#fff8"/>
<text x="${x + 20}" y="${y + 290}" font-size="20" font-weight="600" fill="#17211c">Plant no. ${index + 1}</text>
<text x="${x + 20}" y="${y + 340}" font-size="24" fill="#0b6e4f">${price}</text>`;
}
