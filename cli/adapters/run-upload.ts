import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT } from "../terminal.ts";
import type { UploadRequest } from "./upload-request.ts";

/**
 * Uploads in a process of its own. Runners such as Playwright hook into the loading of modules, with which Node 22 can't
 * load some of our packages.
 * @param place folder of the collected files, and folder of the tests
 * @returns the exit code of the upload
 */
export async function runUpload(
  request: UploadRequest,
  { folder, root }: { folder: string; root: string },
): Promise<number> {
  const file = join(folder, "upload.json");
  writeFileSync(file, JSON.stringify(request));
  const script = fileURLToPath(new URL("./upload-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, file], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : EXIT.error;
}
