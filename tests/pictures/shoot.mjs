// Takes a picture of each page named on the standard input, 1012 pixels wide and as wide as a phone, folded and unfolded.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.MODULES}/`);
const puppeteer = require("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: process.env.BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--hide-scrollbars"],
});
const page = await browser.newPage();
const refused = [];
page.on("console", (message) => refused.push(message.text()));
page.on("request", (request) => request.url().startsWith("file:") || refused.push(request.url()));
for (const { file, theme } of JSON.parse(readFileSync(0, "utf8"))) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  for (const [width, scale, unfolded] of [[1012, 1, false], [1012, 1, true], [390, 2, false]]) {
    await page.setViewport({ width, height: 600, deviceScaleFactor: scale });
    await page.goto(pathToFileURL(file));
    if (unfolded) await page.$$eval("details", (all) => all.forEach((each) => { each.open = true; }));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) console.log(`${file} at ${width}: ${overflow} px too wide`);
    const name = `${file.replace(/(-light|-dark)?\.html$/, "")}-${theme}-${width}${unfolded ? "-unfolded" : ""}.png`;
    await page.screenshot({ path: name, fullPage: true });
  }
}
await browser.close();
if (refused.length) {
  console.log(`The pages asked for or complained of:\n${refused.join("\n")}`);
  process.exitCode = 1;
}
