import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "../support/tool-process.ts";
import { COMPONENTS, type KitComponent } from "./components.ts";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const LOCK = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const STORYBOOK = join(MODULES, "storybook/dist/bin/dispatcher.js");

/** Stories of each component. */
export const STORIES_OF_COMPONENT = 10;
const COLORS = ["blue", "grape"];
const SIZES = ["xs", "sm", "md", "lg", "xl"];
const WIDTHS_PX = [160, 200, 240, 280, 320, 360, 400, 440, 480, 520];

const MAIN = `
export default {
  stories: ["../src/*/*.stories.jsx"],
  framework: "@storybook/react-vite",
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
};`;
const PREVIEW = `
import { MantineProvider } from "@mantine/core";
import "@mantine/core/styles.css";
export default { decorators: [Story => <MantineProvider><Story /></MantineProvider>] };`;

/** Writes a component library with ten stories for each component of a UI kit. @returns number of stories */
export async function makeLibrary(folder: string, components = COMPONENTS): Promise<number> {
  await write(
    join(folder, "package.json"),
    JSON.stringify({ name: "library", private: true, type: "module" }),
  );
  await write(
    join(folder, "vite.config.js"),
    `import react from "@vitejs/plugin-react"; export default { plugins: [react()] };`,
  );
  await write(join(folder, ".storybook/main.js"), MAIN);
  await write(join(folder, ".storybook/preview.jsx"), PREVIEW);
  let count = 0;
  for (const component of components) {
    const { name } = component;
    const path = join(folder, "src", name, name);
    const stories = storiesOf(component);
    count += stories.length;
    await write(`${path}.css`, cssOf(name, 1));
    await write(`${path}.jsx`, sourceOf(component));
    await write(
      `${path}.stories.jsx`,
      [
        `import { ${name} } from "./${name}.jsx";`,
        `export default { title: "Kit/${name}", component: ${name} };`,
        ...stories.map((args, at) => `export const Variant${at + 1} = { args: ${JSON.stringify(args)} };`),
      ].join("\n"),
    );
  }
  await symlink(MODULES, join(folder, "node_modules"));
  await copyFile(LOCK, join(folder, "package-lock.json"));
  return count;
}

/** Changes one component of a library, so that its stories look different. */
export async function changeComponent(folder: string, name: string): Promise<void> {
  await write(join(folder, "src", name, `${name}.css`), cssOf(name, 0.6));
}

/** Builds the Storybook of a library. @returns folder of the build */
export async function buildLibrary(folder: string): Promise<string> {
  const output = join(folder, "storybook-static");
  await runTool(
    [STORYBOOK, "build", "--quiet", "--disable-telemetry", "--stats-json", "-o", output],
    folder,
    [0],
  );
  return output;
}

function cssOf(name: string, opacity: number): string {
  return `.library-${name} { padding: 4px; opacity: ${opacity}; }\n`;
}

function sourceOf({ name, props = "", children = "" }: KitComponent): string {
  return [
    `import * as Kit from "@mantine/core";`,
    `import "./${name}.css";`,
    `export const ${name} = args => (`,
    `  <div className="library-${name}"><Kit.${name} ${props} {...args}>${children}</Kit.${name}></div>`,
    ");",
  ].join("\n");
}

function storiesOf({ varies }: KitComponent): Record<string, unknown>[] {
  if (varies === "width") return WIDTHS_PX.map(w => ({ w }));
  if (varies === "size") return SIZES.flatMap(size => [{ size }, { size, disabled: true }]);
  return COLORS.flatMap(color => SIZES.map(size => ({ color, size })));
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
}
