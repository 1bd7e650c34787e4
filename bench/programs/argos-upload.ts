/** Uploads a folder with Argos's client: `node argos-upload.ts <url> <folder> <commit>`. */
import { upload } from "@argos-ci/core";

const [apiBaseUrl = "", root = "", commit = ""] = process.argv.slice(2);
await upload({
  apiBaseUrl,
  root,
  commit,
  branch: "main",
  token: "a".repeat(40),
  files: ["**/*.png"],
});
