import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { Page } from "./site.ts";

const COLOURS = ["#d62828", "#2a9d8f", "#264653", "#f4a261"];

/** Pages that look different from one load to the next unless they are captured with care; all can be stable. */
export async function flakePages(): Promise<Record<string, Page>> {
  const gif = await animatedGif();
  const font = readFileSync(
    fileURLToPath(import.meta.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")),
  );
  const clip = readFileSync(new URL("./pages/clip.webm", import.meta.url));
  return {
    "/moving.gif": after(0, "image/gif", gif),
    "/clip.webm": after(0, "video/webm", clip),
    "/seekable.webm": inParts("video/webm", clip),
    "/stalled.webm": (_request, response) => {
      response.writeHead(200, { "Content-Type": "video/webm" }).write(clip.subarray(0, 600));
    },
    "/late.woff2": after(250, "font/woff2", font),
    "/late.svg": after(
      150,
      "image/svg+xml",
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#2a9d8f"/></svg>',
    ),
    "/late.json": after(300, "application/json", '{"text":"arrived"}'),
    "/inner": html(`${SPIN}<div class="spin">inner</div>`),

    "/web-font":
      html(`<style>@font-face{font-family:Late;src:url(/late.woff2);font-display:swap} body{font:40px Late,serif}</style>
      <p>A font that comes late</p><p id="later"></p><script>setTimeout(() => later.style.fontWeight = 700, 50)</script>`),
    "/lazy-images": html(
      Array.from(
        { length: 6 },
        (_, i) =>
          `<p style="height:700px">${i}</p><img loading="lazy" src="/late.svg?${i}" width="80" height="60">`,
      ).join(""),
    ),
    "/css-animation": html(`${SPIN}<div class="spin">for ever</div><div class="slide">once</div>
      <style>.slide{animation:slide 5s forwards} @keyframes slide{to{margin-left:300px}}
      .before::before{content:"x";animation:spin 1s infinite;display:inline-block}</style><p class="before">pseudo</p>`),
    "/transition":
      html(`<div id="box" style="transition:width 3s;width:10px;height:40px;background:#264653"></div>
      <script>requestAnimationFrame(() => requestAnimationFrame(() => box.style.width = "400px"))</script>`),
    "/caret": html(
      `<input id="field" value="typing here" style="font-size:40px;caret-color:red"><script>field.focus()</script>`,
    ),
    "/gif": html(
      `<img src="/moving.gif" width="64" height="64"><div style="background:url(/moving.gif);width:64px;height:64px"></div>`,
    ),
    "/video": html(`<video src="/clip.webm" autoplay muted loop width="320" height="240"></video>`),
    "/video-poster": html(
      `<video src="/clip.webm" poster="/late.svg" autoplay muted loop width="320" height="240"></video>`,
    ),
    "/video-seekable":
      html(`<video src="/seekable.webm" autoplay muted loop width="320" height="240"></video><p id="out">plays</p>
      <iframe src="/video-frame" width="340" height="260"></iframe><video src="/seekable.webm" autoplay muted width="160"></video>
      <script>document.querySelector("video").onpause = () => out.textContent = "paused";
      setInterval(() => document.title = performance.now(), 10)</script>`),
    "/video-frame": html(`<video src="/seekable.webm" autoplay muted loop width="320" height="240"></video>`),
    "/video-missing":
      html(`<video src="/stalled.webm" autoplay muted width="160"></video><video src="/never" autoplay muted width="160"></video>
      <video src="/none.webm" autoplay muted width="160"></video><video autoplay muted width="160"></video>`),
    "/late-fetch": html(`<p id="out" style="font-size:40px">waiting</p>
      <script>setTimeout(async () => { out.textContent = (await (await fetch("/late.json")).json()).text }, 200)</script>`),
    "/busy": html(`<p id="out" aria-busy="true">loading</p>
      <script>let n = 0; const tick = () => ++n < 30 ? requestAnimationFrame(tick) : (out.textContent = "ready", out.ariaBusy = "false"); tick()</script>`),
    "/headers":
      html(`<header style="position:fixed;top:0;left:0;width:100%;height:50px;background:#d62828"></header>
      <nav style="position:sticky;top:50px;height:40px;margin-top:50px;background:#264653"></nav>
      <footer style="position:fixed;bottom:0;left:0;width:100%;height:30px;background:#f4a261"></footer>
      <main style="height:4000px;background:linear-gradient(#fff,#ddd)"></main>
      <script>addEventListener("scroll", () => document.querySelector("header").style.height = scrollY > 0 ? "20px" : "50px")</script>`),
    "/shadow-dom":
      html(`<div id="open"></div><div id="closed"></div><template id="t">${SPIN}<div class="spin">in a shadow</div></template>
      <script>for (const mode of ["open", "closed"]) document.getElementById(mode).attachShadow({ mode }).append(t.content.cloneNode(true))</script>`),
    "/frame": html(
      `<iframe src="/inner" width="300" height="200"></iframe><p style="height:1200px"></p><iframe loading="lazy" src="/inner" width="300" height="200"></iframe>`,
    ),
    "/reveal":
      html(`<style>section{height:900px;opacity:0;transition:opacity 2s} section.seen{opacity:1;background:#2a9d8f}</style>
      <section>1</section><section>2</section><section>3</section>
      <script>const o = new IntersectionObserver(es => { for (const e of es) if (e.isIntersecting) e.target.classList.add("seen") });
      for (const s of document.querySelectorAll("section")) o.observe(s)</script>`),
    "/reveal-throttled": html(`${CARDS}<script>let timer = null;
      const look = () => { timer = null; for (const e of document.querySelectorAll(".card")) if (e.getBoundingClientRect().top < innerHeight) e.classList.add("seen") };
      addEventListener("scroll", () => timer ??= setTimeout(look, 100)); look()</script>`),
    "/reveal-inset":
      html(`${CARDS}<script>const o = new IntersectionObserver(es => { for (const e of es) if (e.isIntersecting) e.target.classList.add("seen") }, { threshold: .9, rootMargin: "-80px 0px" });
      for (const card of document.querySelectorAll(".card")) o.observe(card)</script>`),
    "/late-lazy": html(
      `<div style="height:4500px"></div><div id="later"></div><script>setTimeout(() => later.innerHTML = '<img loading="lazy" width="80" height="60" src="/late.svg">', 300)</script>`,
    ),
    "/endless-list":
      html(`<main></main><p id="end">more</p><script>let at = 0; const list = document.querySelector("main");
      const add = () => { for (let i = 0; i < 10; i++) list.insertAdjacentHTML("beforeend", '<p style="height:100px;margin:0">' + at++ + "</p>") }; add();
      let busy = false; const more = async () => { if (busy) return; busy = true; await (await fetch("/late.json?" + at)).json(); add(); busy = false; watch() };
      const watch = () => { const o = new IntersectionObserver(([e]) => { if (e.isIntersecting) { o.disconnect(); more() } }, { rootMargin: "300px" }); o.observe(document.getElementById("end")) }; watch()</script>`),
    "/observed-list":
      html(`<main></main><p id="end">more</p><script>let at = 0; const list = document.querySelector("main");
      const more = async () => { await (await fetch("/late.json?" + at)).json(); for (let i = 0; i < 15; i++) list.insertAdjacentHTML("beforeend", '<p style="height:100px;margin:0">' + at++ + "</p>") };
      new IntersectionObserver(([e]) => { if (e.isIntersecting) more() }, { rootMargin: "300px" }).observe(document.getElementById("end"))</script>`),
    "/scroll-driven": html(`${CARDS}<style>@keyframes appear{from{opacity:0}to{opacity:1}}
      .card{opacity:1;background:#2a9d8f;animation:appear linear both;animation-timeline:view();animation-range:entry 0% cover 40%}
      @keyframes grow{from{transform:scaleX(0)}} .way{position:fixed;top:0;right:0;width:100px;height:8px;background:#d62828;animation:grow linear;animation-timeline:scroll()}</style><div class="way"></div>`),
    "/never": () => {},
    "/reveal-polling":
      html(`${CARDS}<script>fetch("/never"); const o = new IntersectionObserver(es => { for (const e of es) if (e.isIntersecting) e.target.classList.add("seen") });
      for (const card of document.querySelectorAll(".card")) o.observe(card)</script>`),
    "/list-polling":
      html(`<main></main><p id="end">more</p><script>fetch("/never"); let at = 0; const list = document.querySelector("main");
      const more = async () => { await (await fetch("/late.json?" + at)).json(); for (let i = 0; i < 15; i++) list.insertAdjacentHTML("beforeend", '<p style="height:100px;margin:0">' + at++ + "</p>") };
      new IntersectionObserver(([e]) => { if (e.isIntersecting) more() }, { rootMargin: "300px" }).observe(document.getElementById("end"))</script>`),
    "/unread-answer": html(`<p>Still</p><script>fetch("/late.json?unread")</script>`),
    "/count-up": html(`<p id="sum" style="font-size:40px">0</p>
      <script>const from = performance.now(); const step = now => { const done = Math.min(1, (now - from) / 3000); sum.textContent = Math.round(done * 12840); if (done < 1) requestAnimationFrame(step) }; requestAnimationFrame(step)</script>`),
    "/entrance": html(`<div id="box" style="width:40px;height:40px;background:#d62828"></div>
      <script>const t0 = performance.now(); const step = now => { const t = Math.min(1, (now - t0) / 600); box.style.marginLeft = Math.round(t * 300) + "px"; if (t < 1) requestAnimationFrame(step) }; requestAnimationFrame(step)</script>`),
    // Boxes that end at fractions of a pixel: where they are drawn depends on the layer that they were painted on.
    "/fractions": html(`<style>@keyframes in { from { opacity: 0; transform: translateY(8px) } }
      .grid { display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px; width: 1003px; font: 15px/1.47 sans-serif }
      .grid > * { animation: in .4s both; border: 1px solid #dde3ea; border-radius: 12px; padding: 20px }
      button { border-radius: 8px; padding: 8px 16px; border: 0; background: #3056d3; color: #fff }
      pre { overflow-x: auto; background: #123; color: #fff; padding: 11.3px; margin: 7.7px 0 }</style>
      <div class="grid">${"<article><h3>Berth</h3><p>Twelve of them are free tonight, and one has water.</p><pre>vrs run --width 375 --width 1280 --route /berths</pre><button>Choose</button></article>".repeat(9)}</div>`),
  };
}

/** Pages that move for as long as they live, all by the clock or by chance: on a clock of their own they do so alike. */
export const MOVING_PAGES: Record<string, Page> = {
  "/carousel":
    html(`<div id="carousel" style="width:300px;height:100px"><div style="height:100px"></div></div>
    <script>let i = 0;
    setInterval(() => carousel.firstElementChild.style.cssText = "height:100px;width:200px;background:hsl(" + i++ * 7 % 360 + " 80% 50%)", 40)</script>`),
  "/canvas": html(`<h1>Still</h1><canvas id="scene" width="200" height="100"></canvas>
    <script>const x = scene.getContext("2d"); const draw = t => { x.fillStyle = "hsl(" + t + " 80% 50%)"; x.fillRect(0, 0, 200, 100); requestAnimationFrame(draw) }; draw(0)</script>`),
  "/widening": html(`<h1>Still</h1><div id="bar" style="width:700px;height:20px;background:#264653"></div>
    <script>let w = 700; setInterval(() => { bar.style.width = ++w + "px" }, 20)</script>`),
  "/counter": html(
    `<main><p>Still</p><p class="count">0</p></main><script>let n = 0; const p = document.querySelector(".count"); const tick = () => { p.textContent = ++n; requestAnimationFrame(tick) }; tick()</script>`,
  ),
  "/typed":
    html(`<h1 id="out"></h1><script>const words = "Screenshots that tell the truth, on every page"; let at = 0;
    const type = () => { out.textContent = words.slice(0, at++ % words.length); setTimeout(type, 30 + Math.random() * 60) }; type()</script>`),
  "/random":
    html(`<canvas id="chart" width="400" height="200"></canvas><p id="id"></p><script>const x = chart.getContext("2d");
    for (let i = 0; i < 40; i++) x.fillRect(i * 10, 200, 8, -200 * Math.random()); id.textContent = crypto.randomUUID()</script>`),
  "/elapsed": html(`<p id="out"></p><script>const from = Date.now(), p0 = performance.now();
    setInterval(() => out.textContent = [Date.now() - from, Math.round(performance.now() - p0), Math.round(performance.now())].join(" "), 10)</script>`),
  "/chained":
    html(`<style>@keyframes go{to{margin-left:50px}} .go{animation:go 2s both}</style><div id="box" style="width:40px;height:40px;background:#d62828"></div><p id="n">0</p>
    <script>const next = () => { box.className = ""; void box.offsetWidth; box.className = "go" };
    box.onanimationend = () => { if (++n.textContent < 3) next() }; next()</script>`),
  "/idle": html(
    `<p id="out">0</p><script>const again = () => requestIdleCallback(() => { out.textContent++; again() }); again()</script>`,
  ),
  "/poll-late": html(`<p id="out">0</p><script>setInterval(() => out.textContent++, 50);
    const poll = async () => { await fetch("/late.json?poll"); poll() }; poll()</script>`),
  "/counter-late": html(
    `<p id="out">0</p><script>let n = 0; const tick = t => { out.textContent = ++n + " " + t + " " + Math.random(); requestAnimationFrame(tick) }; tick(0);
    let i = 0; const more = () => { const late = new Image(80, 60); late.src = "/late.svg?" + i; document.body.append(late); if (++i < 9) setTimeout(more, i * 37) }; more()</script>${Array.from({ length: 6 }, (_, i) => `<div style="height:60px;background:url(/late.svg?b${i})"></div>`).join("")}`,
  ),
  "/counter-frame": html(
    `<iframe srcdoc="<p id=out>0</p><script>let n = 0; setInterval(() => { out.textContent = [++n, Date.now() - performance.timeOrigin, performance.now()].join(' ') }, 30)</script>"></iframe><img src="/late.svg" width="80" height="60">
    <script>setTimeout(() => { const f = document.createElement("iframe"); document.body.append(f); let n = 0; f.contentWindow.setInterval(() => f.contentDocument.body.textContent = ++n, 20) }, 300)</script>`,
  ),
  "/clock-wait": html(
    `<p id="out">0</p><script>let n = 0; const waitMs = ms => { for (const from = performance.now(); performance.now() - from < ms; ); };
    const next = () => { waitMs(20); out.textContent = [++n, performance.now()].join(" "); setTimeout(next) }; next()</script>`,
  ),
  "/stream": html(
    `<p id="out">0</p><script>setInterval(() => out.textContent++, 50); new EventSource("/events")</script>`,
  ),
  "/events": (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: 1\n\n");
  },
};

/** Pages that no clock holds still, since each answer of their server is another, with what must be named. */
export const RESTLESS_PAGES: Record<string, { page: Page; moving: string }> = {
  "/visits": {
    moving: "p.count (text)",
    page: eachTime(visit => `<main><p>Still</p><p class="count">visit ${visit}</p></main>`),
  },
  "/served-canvas": {
    moving: "#scene (canvas)",
    page: eachTime(
      visit => `<h1>Still</h1><canvas id="scene" width="200" height="100"></canvas>
      <script>const x = scene.getContext("2d"); x.fillStyle = "hsl(${visit * 50} 80% 50%)"; x.fillRect(0, 0, 200, 100)</script>`,
    ),
  },
  "/served-width": {
    moving: "html (the width of the page)",
    page: eachTime(
      visit => `<h1>Still</h1><div style="width:${700 + visit}px;height:20px;background:#264653"></div>`,
    ),
  },
  "/served-box": {
    moving: "#carousel > div (content)",
    page: eachTime(
      visit =>
        `<div id="carousel" style="width:300px;height:100px"><div style="height:100px;width:200px;background:hsl(${visit * 70} 80% 50%)"></div></div>`,
    ),
  },
};

/** Where `SHIFTY_PAGES` differ from one load to the next, px. */
export const SHIFTY_BOX = { x: 40, y: 100, width: 120, height: 30 };

/** Pages whose first loads differ from the later ones. */
export const SHIFTY_PAGES: Record<string, Page> = {
  "/first-differs": eachTime(visit => box(visit === 1 ? "#d62828" : "#2a9d8f")),
  "/never-the-same": eachTime(visit => box(`hsl(${visit * 70} 80% 50%)`)),
};

function box(color: string): string {
  const { x, y, width, height } = SHIFTY_BOX;
  return `<p>Still</p><div style="position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px;background:${color}"></div>`;
}

/** Twelve boxes, one below the other, that show once they are seen; the first and the last of which end at the page's ends. */
export const CARDS = `<style>body{padding:150px 0} .card{height:250px;margin-bottom:150px;opacity:0;background:#2a9d8f} .seen{opacity:1}</style>${'<div class="card"></div>'.repeat(12)}`;
export const SPIN = `<style>.spin{width:60px;height:60px;background:#f4a261;animation:spin 700ms linear infinite} @keyframes spin{to{transform:rotate(360deg)}}</style>`;

export function html(body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>page</title><body style="margin:0">${body}`;
}

function after(delayMs: number, type: string, body: string | Buffer): Page {
  return (_request, response) => {
    setTimeout(
      () => response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(body),
      delayMs,
    );
  };
}

/** Answers for one part of a file after another, as a browser asks for a video that can be sought in. */
function inParts(type: string, body: Buffer): Page {
  return (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const headers = {
      "Content-Type": type,
      "Accept-Ranges": "bytes",
      "Content-Range": `bytes ${from}-${body.length - 1}/${body.length}`,
    };
    response.writeHead(206, headers).end(body.subarray(from));
  };
}

async function animatedGif(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all(COLOURS.map(frame));
  return await sharp(frames, { join: { animated: true } })
    .gif({ delay: frames.map(() => 60), loop: 0 })
    .toBuffer();
}

/** A page that counts how often it was asked for. */
function eachTime(body: (visit: number) => string): Page {
  let visits = 0;
  return (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end(html(body(++visits)));
  };
}
