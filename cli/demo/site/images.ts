/** The site's images. They are drawn instead of stored, with the same bytes for a name on every machine. */

interface Harbour {
  /** Colors from the top of the sky to the horizon, then of the sea. */
  sky: [string, string];
  sea: string;
  land: string;
  /** px from the left. */
  sun: number;
  /** px from the top. */
  horizon: number;
  /** px from the left, of each boat. */
  boats: number[];
  lighthouse: number | null;
  houses: number;
}

const DAWN: Harbour["sky"] = ["#f7b58a", "#fde4c3"];
const DAY: Harbour["sky"] = ["#8fc9dd", "#e6f3f1"];
const DUSK: Harbour["sky"] = ["#2d4a73", "#f0a58c"];
const GREY: Harbour["sky"] = ["#9fb2b8", "#dfe6e4"];

const HARBOURS: Record<string, Harbour> = {
  "port-ellery": {
    sky: DAWN,
    sea: "#2f8288",
    land: "#12454b",
    sun: 560,
    horizon: 330,
    boats: [170, 330, 610],
    lighthouse: 690,
    houses: 5,
  },
  "saint-brannoc": {
    sky: DAY,
    sea: "#3c97a0",
    land: "#3f6b4c",
    sun: 150,
    horizon: 300,
    boats: [260, 520],
    lighthouse: null,
    houses: 7,
  },
  kirkness: {
    sky: GREY,
    sea: "#5b8087",
    land: "#33484d",
    sun: 420,
    horizon: 350,
    boats: [120, 240, 480, 640],
    lighthouse: 330,
    houses: 3,
  },
  "loe-bar": {
    sky: DUSK,
    sea: "#35517a",
    land: "#1c2c47",
    sun: 330,
    horizon: 320,
    boats: [540],
    lighthouse: null,
    houses: 0,
  },
  "whitsand-quay": {
    sky: DAY,
    sea: "#2e8fae",
    land: "#1f5a63",
    sun: 640,
    horizon: 280,
    boats: [90, 210, 340, 470, 600, 710],
    lighthouse: null,
    houses: 9,
  },
  ardmarra: {
    sky: DAWN,
    sea: "#6a7f99",
    land: "#4a3c55",
    sun: 240,
    horizon: 340,
    boats: [430, 620],
    lighthouse: 130,
    houses: 2,
  },
  "brae-sound": {
    sky: GREY,
    sea: "#4f8a86",
    land: "#2b4f4a",
    sun: 600,
    horizon: 290,
    boats: [200, 380],
    lighthouse: null,
    houses: 1,
  },
  "holm-haven": {
    sky: DUSK,
    sea: "#574b7e",
    land: "#2a2148",
    sun: 500,
    horizon: 350,
    boats: [300],
    lighthouse: 600,
    houses: 4,
  },
  greywater: {
    sky: GREY,
    sea: "#6d8f83",
    land: "#3d5148",
    sun: 200,
    horizon: 310,
    boats: [140, 290, 450, 580],
    lighthouse: null,
    houses: 6,
  },
  skelling: {
    sky: DAY,
    sea: "#277f96",
    land: "#4c5f6b",
    sun: 380,
    horizon: 340,
    boats: [480, 660],
    lighthouse: 220,
    houses: 3,
  },
  "tarn-mouth": {
    sky: DAWN,
    sea: "#7d8f6f",
    land: "#4e5b38",
    sun: 660,
    horizon: 300,
    boats: [230, 560],
    lighthouse: null,
    houses: 4,
  },
  pencarrow: {
    sky: DUSK,
    sea: "#2b5a72",
    land: "#123246",
    sun: 120,
    horizon: 310,
    boats: [350, 500, 650],
    lighthouse: 720,
    houses: 8,
  },
};

const PEOPLE: Record<string, { ground: string; skin: string; hair: string; coat: string }> = {
  "person-1": { ground: "#7cc6c1", skin: "#8d5a3c", hair: "#1e1613", coat: "#06323a" },
  "person-2": { ground: "#ffcb45", skin: "#6b4029", hair: "#120d0b", coat: "#f2664a" },
  "person-3": { ground: "#cfe0ea", skin: "#f0c6a5", hair: "#b4572a", coat: "#0d7377" },
  "person-4": { ground: "#f7c6b6", skin: "#f3d3bd", hair: "#5b3a22", coat: "#35517a" },
};

const svg = (viewBox: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${body}</svg>`;

const boat = (x: number, y: number, size: number) =>
  `<g transform="translate(${x} ${y}) scale(${size})"><path d="M-34 0H34L24 17H-24Z" fill="#fff"/>` +
  `<path d="M0-5V-86L38-5Z" fill="#fff" opacity=".94"/><path d="M-5-5V-70L-28-5Z" fill="#f2664a"/>` +
  `<path d="M-22 23H22M-12 30H10" stroke="#fff" stroke-width="3" opacity=".35"/></g>`;

const house = (x: number, y: number, index: number) => {
  const wall = ["#fff6e6", "#f4d9c6", "#dbe8ea", "#f7e3a8"][index % 4];
  const height = 34 + ((index * 17) % 26);
  return (
    `<path d="M${x} ${y}v${-height}l19-17 19 17v${height}z" fill="${wall}"/>` +
    `<path d="M${x - 3} ${y - height}l22-20 22 20z" fill="#7b3f35"/>` +
    `<rect x="${x + 8}" y="${y - height + 10}" width="8" height="10" fill="#51666c"/>` +
    `<rect x="${x + 23}" y="${y - height + 10}" width="8" height="10" fill="#51666c"/>`
  );
};

const lighthouse = (x: number, y: number) =>
  `<path d="M${x - 60} ${y}q60-34 120 0z" fill="#4b4a4a"/>` +
  `<path d="M${x - 17} ${y - 14}l6-112h22l6 112z" fill="#fff"/>` +
  `<path d="M${x - 14} ${y - 62}h28l2 24h-32zM${x - 12} ${y - 110}h24l1 20h-26z" fill="#e0503a"/>` +
  `<rect x="${x - 10}" y="${y - 148}" width="20" height="22" fill="#ffdf8a"/><path d="M${x - 15} ${y - 146}l15-16 15 16z" fill="#33484d"/>`;

function drawHarbour(name: string, harbour: Harbour): string {
  const { sky, sea, land, sun, horizon, boats, houses } = harbour;
  const shore = horizon + 12;
  const glints = [30, 62, 104, 158].map(
    (down, row) =>
      `<path d="M${sun - 70 + row * 9} ${horizon + down}h${140 - row * 24}" stroke="${sky[1]}" stroke-width="${4 + row}" opacity=".5" stroke-linecap="round"/>`,
  );
  return svg(
    "0 0 800 600",
    `<title>${name}</title>` +
      `<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>` +
      `<rect width="800" height="600" fill="url(#s)"/><circle cx="${sun}" cy="${horizon - 74}" r="46" fill="#fff3cf"/>` +
      `<path d="M0 ${shore}V${horizon - 70}C120 ${horizon - 130} 220 ${horizon - 40} 340 ${horizon - 34}S520 ${horizon - 6} 800 ${horizon - 20}V${shore}Z" fill="color-mix(in srgb, ${land} 55%, ${sky[1]})"/>` +
      `<path d="M0 ${shore}V${horizon - 30}C90 ${horizon - 60} 200 ${horizon - 16} 420 ${horizon}V${shore}Z" fill="${land}"/>` +
      `<rect y="${horizon}" width="800" height="${600 - horizon}" fill="${sea}"/>${glints.join("")}` +
      Array.from({ length: houses }, (_, index) => house(24 + index * 43, shore, index)).join("") +
      `<rect y="${shore}" width="${houses * 43 + 50}" height="14" fill="#33484d" opacity="${houses ? 0.8 : 0}"/>` +
      (harbour.lighthouse === null ? "" : lighthouse(harbour.lighthouse, horizon + 16)) +
      boats
        .map((x, index) => boat(x, horizon + 90 + ((index * 67) % 120), 0.8 + ((index * 3) % 4) / 6))
        .join("") +
      `<path d="M0 ${562}C160 ${544} 300 ${580} 470 ${562}S700 ${548} 800 ${562}V600H0Z" fill="${land}" opacity=".35"/>`,
  );
}

function drawPerson({ ground, skin, hair, coat }: (typeof PEOPLE)[string]): string {
  return svg(
    "0 0 320 320",
    `<rect width="320" height="320" fill="${ground}"/>` +
      `<path d="M50 320c4-74 48-104 110-104s106 30 110 104z" fill="${coat}"/><path d="M136 186h48v42q-24 24-48 0z" fill="${skin}"/>` +
      `<circle cx="160" cy="132" r="70" fill="${hair}"/><ellipse cx="160" cy="148" rx="52" ry="60" fill="${skin}"/>` +
      `<path d="M106 138c8-44 40-52 56-52 26 0 48 22 52 52-24-8-40-20-50-34-12 18-32 30-58 34z" fill="${hair}"/>` +
      `<path d="M142 180q18 13 36 0" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/>` +
      `<circle cx="140" cy="151" r="4.5" fill="#1b1f24"/><circle cx="181" cy="151" r="4.5" fill="#1b1f24"/>`,
  );
}

const MARK = svg(
  "0 0 32 32",
  '<rect width="32" height="32" rx="9" fill="#0d7377"/><path d="M16 5v13h9z" fill="#ffcb45"/><path d="M14.5 9v9H8z" fill="#fff"/>' +
    '<path d="M5 23c3.7-3 7.3-3 11 0s7.3 3 11 0" fill="none" stroke="#7cc6c1" stroke-width="3" stroke-linecap="round"/>',
);

const TICK = svg(
  "0 0 18 18",
  '<path d="M2 9.5 7 14 16 4" fill="none" stroke="#12a191" stroke-width="2.5" stroke-linecap="round"/>',
);

/** Returns the SVG with the given name (`port-ellery`, `person-1`, `mark`, `tick`), or null. */
export function drawImage(name: string): string | null {
  if (name === "mark") return MARK;
  if (name === "tick") return TICK;
  const harbour = Object.hasOwn(HARBOURS, name) && HARBOURS[name];
  if (harbour) return drawHarbour(name, harbour);
  const person = Object.hasOwn(PEOPLE, name) && PEOPLE[name];
  return person ? drawPerson(person) : null;
}
