// Makes the pages hard to capture: parts that appear on scrolling, parts that arrive late, and a canvas.

const seen = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    entry.target.classList.add("seen");
    seen.unobserve(entry.target);
  }
});
for (const element of document.querySelectorAll(".reveal")) seen.observe(element);

const tideNow = document.querySelector(".tide-now");
if (tideNow) {
  const { readings } = await (await fetch("/api/tide")).json();
  tideNow.replaceChildren(
    ...readings.map(({ name, value }) => {
      const reading = document.createElement("div");
      const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      detail.textContent = value;
      reading.append(term, detail);
      return reading;
    }),
  );
}

const arrivals = document.querySelector("#arrivals");
if (arrivals) {
  const { boats } = await (await fetch("/api/arrivals")).json();
  const table = document.querySelector("#arrivals-table").content.cloneNode(true);
  const body = table.querySelector("tbody");
  for (const { name, type, due, draught, berth, state, tone } of boats) {
    const row = body.insertRow();
    for (const text of [name, type, due, draught, berth]) row.insertCell().textContent = text;
    const tag = document.createElement("span");
    tag.className = `tag ${tone}`;
    tag.textContent = state;
    row.insertCell().append(tag);
  }
  arrivals.replaceChildren(table);
  arrivals.removeAttribute("aria-busy");
}

const occupancy = document.querySelector("#occupancy");
if (occupancy) {
  await document.fonts.load('500 13px "Figtree"');
  const context = occupancy.getContext("2d");
  const days = { Mon: 0.52, Tue: 0.58, Wed: 0.49, Thu: 0.66, Fri: 0.84, Sat: 0.97, Sun: 0.91 };
  context.scale(2, 2);
  context.font = '500 13px "Figtree"';
  context.textAlign = "center";
  for (const [index, [day, share]] of Object.entries(days).entries()) {
    const left = 8 + index * 49;
    const height = Math.round(share * 236);
    context.fillStyle = "#eff5f4";
    context.beginPath();
    context.roundRect(left, 20, 32, 236, 7);
    context.fill();
    context.fillStyle = share > 0.9 ? "#f2664a" : "#0d7377";
    context.beginPath();
    context.roundRect(left, 256 - height, 32, height, 7);
    context.fill();
    context.fillStyle = "#3b5157";
    context.fillText(day, left + 16, 278);
    context.fillText(`${Math.round(share * 100)}`, left + 16, 13);
  }
}
