const STYLE = `<style>
  body { margin: 0; padding: 16px; font: 16px/1.5 sans-serif; background: #fff; color: #111 }
  @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
  @media print { nav { display: none } }
  #menu { max-height: 0; overflow: hidden; transition: max-height .3s }
  #menu.open { max-height: 200px }
  #menu a { display: block; height: 40px; background: #2a9d8f }
  #menu a:hover { background: #e76f51 }
  .list { min-height: 60px; border: 1px solid }
  .card { width: 120px; height: 50px; background: #264653; margin: 4px }
  dialog { width: 300px; height: 200px; background: #e9c46a; border: 0 }
</style>`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${STYLE}<body>${body}</body></html>`;
}

const GREETINGS: Record<string, string> = { de: "Willkommen", fr: "Bienvenue" };

/** Returns the page with everything that steps act on. */
export function homePage(language: string): string {
  const greeting = GREETINGS[language.slice(0, 2)] ?? "Welcome";
  return page(
    greeting,
    `<nav><button id="toggle" aria-expanded="false">Menu</button><div id="menu"><a href="/router/one">One</a><a href="/missing">Two</a></div></nav>
    <h1>${greeting}</h1><time id="clock"></time>
    <button id="open">Open</button><dialog id="modal"><p>Saved</p><button id="close">Close</button></dialog>
    <label>Name <input id="name" placeholder="Your name"></label><output id="hello" data-testid="hello"></output>
    <label><input type="checkbox" id="terms"> Terms</label>
    <select id="size" aria-label="Size"><option value="s">Small</option><option value="l">Large</option></select>
    <div class="list" id="from"><div class="card" id="card" draggable="true"></div></div><div class="list" id="to"></div>
    <input type="file" id="file" aria-label="File"><output id="uploaded"></output>
    <canvas id="chart" width="200" height="100"></canvas>
    <div id="empty"></div><div style="height:1500px"></div><p id="end">The end</p>
    <script>(${behave})()</script>`,
  );
}

/** Makes the page react. It runs in the page. */
function behave(): void {
  const find = (id: string): HTMLElement => document.getElementById(id) ?? document.body;
  const input = (id: string): HTMLInputElement | null => document.querySelector<HTMLInputElement>(`#${id}`);
  const showTime = () => {
    find("clock").textContent = new Date().toISOString().slice(0, 19);
  };
  showTime();
  find("toggle").onclick = () => {
    const isOpen = find("menu").classList.toggle("open");
    find("toggle").setAttribute("aria-expanded", String(isOpen));
  };
  find("open").onclick = () => setTimeout(() => document.querySelector("dialog")?.showModal(), 200);
  find("close").onclick = () => document.querySelector("dialog")?.close();
  find("name").oninput = () => {
    setTimeout(() => {
      find("hello").textContent = `Hello ${input("name")?.value}`;
    }, 300);
  };
  find("card").ondragstart = event => event.dataTransfer?.setData("text/plain", "card");
  find("to").ondragover = event => event.preventDefault();
  find("to").ondrop = event => {
    event.preventDefault();
    find("to").append(find("card"));
  };
  find("file").onchange = async () => {
    const file = input("file")?.files?.[0];
    find("uploaded").textContent = `${file?.name}: ${await file?.text()}`;
  };
  const chart = document.querySelector("canvas")?.getContext("2d");
  [30, 80, 50].forEach((height, index) => {
    chart?.fillRect(10 + index * 60, 100 - height, 40, height);
  });
}

/** Returns the form of the login. The token must come back with it. */
export function loginPage(token: string, error = ""): string {
  return page(
    "Log in",
    `<h1>Log in</h1><p role="alert">${error}</p><form method="post" action="/login"><input type="hidden" name="token" value="${token}">
    <label>Email <input name="email" type="email"></label><label>Password <input name="password" type="password"></label>
    <button>Log in</button></form>`,
  );
}

/** Returns the form of the one-time code. */
export function codePage(token: string, error = ""): string {
  return page(
    "Code",
    `<h1>Enter the code</h1><p role="alert">${error}</p><form method="post" action="/login/code"><input type="hidden" name="token" value="${token}">
    <label>Code <input name="code" inputmode="numeric"></label><button>Continue</button></form>`,
  );
}

/** Returns a page that only users see. It keeps a setting in the browser. */
export function accountPage(email: string): string {
  return page(
    "Account",
    `<h1>Account of ${email}</h1><p id="visits"></p><div style="height:300px;background:#2a9d8f"></div>
    <script>document.getElementById("visits").textContent = localStorage.theme ?? "none"; localStorage.theme = "wide"</script>`,
  );
}

/** Returns an application that shows its login when its server does not know the user. */
export function dashboardPage(): string {
  return page(
    "Dashboard",
    `<main style="height:300px;background:#2a9d8f"></main><script>(${requireUser})()</script>`,
  );
}

/** Goes to the login without loading. It runs in the page. */
async function requireUser(): Promise<void> {
  const { ok } = await fetch("/me");
  if (ok) return;
  history.replaceState(null, "", "/login");
  document.body.textContent = "Log in";
}

/** Returns a form that the server refuses. */
export function profilePage(error = ""): string {
  return page("Profile", `<form method="post"><p role="alert">${error}</p><button>Save</button></form>`);
}

/** Returns a page that changes its address without loading. */
export function routerPage(): string {
  return page("Router", `<a href="/router/two">Two</a><main></main><script>(${route})()</script>`);
}

/** Shows the view of the address. It runs in the page. */
function route(): void {
  const show = () => {
    const main = document.querySelector("main");
    if (main) main.textContent = `View ${location.pathname}`;
  };
  document.querySelector("a")?.addEventListener("click", event => {
    event.preventDefault();
    history.pushState(null, "", "/router/two");
    setTimeout(show, 50);
  });
  show();
}
