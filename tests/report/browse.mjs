// Opens each page named as an argument, light and dark in three widths and in print, folded and unfolded, and prints what was seen as JSON.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.MODULES}/`);
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({
  executablePath: process.env.BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
});
const page = await browser.newPage();
const devtools = await page.createCDPSession();
let requests = [];
let messages = [];
page.on("console", (message) => messages.push(message.text()));
page.on("request", (request) => requests.push(request.url()));
const seen = [];
// Words and numbers in the cells of tables that a line end cuts in two. Paths and names of code may be cut.
const brokenWords = () => {
  const found = [];
  for (const cell of document.querySelectorAll("td, table:not(.heat) thead th")) {
    if (cell.closest("thead") && getComputedStyle(cell.closest("thead")).clipPath !== "none") continue; // hidden
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const word of node.data.matchAll(/(?<!\S)(?:[A-Za-z]{2,14}|[\d.,]+)(?!\S)/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size > 1) found.push(word[0]);
      }
    }
  }
  return found;
};
const views = ["light", "dark"].flatMap((theme) => [320, 768, 1600].map((width) => ["screen", theme, width]));
views.push(["print", "dark", 718]); // a sheet of A4 within its margins, by somebody whose screen is dark
for (const file of process.argv.slice(2)) {
  const address = pathToFileURL(file).href;
  for (const [media, theme, width] of views) {
    requests = [];
    messages = [];
    // In one message: puppeteer's two methods undo each other.
    await devtools.send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: theme }] });
    await page.setViewport({ width, height: 800 });
    await page.goto(address);
    const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const folded = await page.evaluate(tooWide);
    await page.$$eval("details", (all) => all.forEach((each) => { each.open = true; }));
    const overflow = Math.max(folded, await page.evaluate(tooWide));
    const broken = await page.evaluate(brokenWords);
    const console = [...messages];
    await page.evaluate(axe); // through the debugger, which no policy of a page binds
    const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations", "passes"] }));
    const violations = found.violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.slice(0, 3).map((each) => each.html.slice(0, 200)) }));
    seen.push({
      page: file, broken, theme: (await page.evaluate(() => matchMedia("print").matches)) ? "print" : theme, width, overflow, console, violations,
      requests: requests.filter((each) => each !== address),
      passed: found.passes.map(({ id }) => id),
    });
  }
}
await browser.close();
process.stdout.write(JSON.stringify(seen));
