import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { jsonSchemaOf, OUTPUT_SCHEMAS, type OutputName } from "../../../cli/output/output-schemas.ts";

/** Checks a document of `--json` against the published schema. @returns the document */
export function requireOutput(name: OutputName, text: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(jsonSchemaOf(name));
  assert.ok(check(JSON.parse(text)), `${name}: ${ajv.errorsText(check.errors)}`);
  return JSON.parse(text);
}

/** Also requires that the schema lists every field of the document. */
export function requireListed(name: OutputName, text: string) {
  const document = requireOutput(name, text);
  assert.deepEqual(OUTPUT_SCHEMAS[name].schema.parse(document), document, name);
  return document;
}
