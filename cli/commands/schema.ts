import { CommandError, EXIT, toJson } from "../terminal.ts";
import { SCHEMA_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

/** `vrs schema` */
export const addSchema: AddCommand = (program, run) => {
  program
    .command("schema")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("[name]", HELP.name)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (name: string | undefined) =>
      run(async ({ terminal, options }) => {
        const { isOutputName, jsonSchemaOf, OUTPUT_SCHEMAS } = await import("../output/output-schemas.ts");
        const names = Object.keys(OUTPUT_SCHEMAS);
        if (name === undefined) {
          const list = Object.entries(OUTPUT_SCHEMAS).map(([each, { version }]) => ({ name: each, version }));
          terminal.out(options.json ? `${toJson({ schemas: list })}\n` : `${names.join("\n")}\n`);
          return EXIT.ok;
        }
        if (!isOutputName(name)) throw new CommandError("usage", HELP.unknown(name, names));
        terminal.out(`${toJson(jsonSchemaOf(name))}\n`);
        return EXIT.ok;
      }),
    );
};
