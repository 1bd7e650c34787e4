/** Returns fourteen pages as in a web application, with the files that a browser loads for each. */
export function benchPages(): Map<string, { type: string; body: string }> {
  const files = new Map<string, { type: string; body: string }>();
  files.set("/site.css", { type: "text/css", body: css });
  files.set("/site.js", { type: "text/javascript", body: script });
  for (let n = 0; n < 8; n++) files.set(`/picture-${n}.svg`, { type: "image/svg+xml", body: picture(n) });
  for (const [index, name] of PAGES.entries())
    files.set(`/${name}`, { type: "text/html; charset=utf-8", body: page(name, index) });
  return files;
}

/** Names of the pages, which are their paths. */
export const PAGES = [
  "home",
  "pricing",
  "features",
  "about",
  "blog",
  "article",
  "docs",
  "changelog",
  "login",
  "signup",
  "dashboard",
  "settings",
  "team",
  "contact",
] as const;

const css = `
*{box-sizing:border-box} body{margin:0;font:16px/1.5 sans-serif;color:#1d2733;background:#fff}
header{position:sticky;top:0;display:flex;gap:24px;padding:16px 32px;background:#fff;box-shadow:0 1px 6px #0002}
main{max-width:1100px;margin:0 auto;padding:32px} h1{font-size:44px;letter-spacing:-.02em}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}
.card{border:1px solid #dde3ea;border-radius:12px;padding:20px;box-shadow:0 2px 8px #0001;transition:transform .2s}
.card img{width:100%;height:140px;object-fit:cover;border-radius:8px} .button{background:#3056d3;color:#fff;border-radius:8px;padding:8px 16px;border:0}
table{width:100%;border-collapse:collapse} td,th{text-align:left;padding:8px;border-bottom:1px solid #eee}
@keyframes in{from{opacity:0;transform:translateY(8px)}} .card{animation:in .4s both}`;

const script = `document.querySelectorAll(".button").forEach((b, i) => b.addEventListener("click", () => b.dataset.n = i));
document.body.dataset.ready = "yes";`;

function page(name: string, index: number): string {
  const sections = 2 + (index % 4);
  const body = Array.from({ length: sections }, (_, section) =>
    section % 2 === 0 ? cards(index, section) : table(index, section),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title>
<link rel="stylesheet" href="/site.css"><script src="/site.js" defer></script></head><body>
<header><b>Acme</b>${PAGES.slice(0, 6)
    .map(to => `<a href="/${to}">${to}</a>`)
    .join("")}</header>
<main><h1>${name}</h1><p>${TEXT.repeat(2)}</p>${body.join("")}</main><footer style="padding:32px;background:#f2f4f7">© Acme</footer></body></html>`;
}

function cards(index: number, section: number): string {
  const card = (n: number) =>
    `<article class="card"><img src="/picture-${(index + n) % 8}.svg" alt=""><h3>Item ${n}</h3><p>${TEXT}</p><button class="button">Choose</button></article>`;
  return `<section><h2>Part ${section}</h2><div class="grid">${Array.from({ length: 6 + (index % 3) }, (_, n) => card(n)).join("")}</div></section>`;
}

function table(index: number, section: number): string {
  const rows = Array.from(
    { length: 12 + index },
    (_, n) => `<tr><td>${n}</td><td>Name ${n * 7}</td><td>${(n * 37) % 100} %</td><td>active</td></tr>`,
  );
  return `<section><h2>Part ${section}</h2><table><tr><th>#</th><th>Name</th><th>Share</th><th>State</th></tr>${rows.join("")}</table></section>`;
}

const TEXT = "Everything a team needs to see what changed, and why, before its users do. ";

function picture(n: number): string {
  const dots = Array.from(
    { length: 12 },
    (_, i) =>
      `<circle cx="${(i * 53 + n * 31) % 400}" cy="${(i * 29) % 200}" r="${10 + i}" fill="hsl(${i * 30 + n * 40} 70% 60%)"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="hsl(${n * 45} 60% 85%)"/>${dots.join("")}</svg>`;
}
