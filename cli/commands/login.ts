import { visibleLine } from "../../shared/text/visible-text.ts";
import type { LoginFlags } from "../cloud/log-in.ts";
import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";

export const addLogin: AddCommand = (program, run) => {
  program
    .command("login")
    .summary("Keep the address and the API key of a service")
    .description(
      "Asks for the address of a service and an API key, sees whether they fit, and keeps them for you alone. SERVICE_API_URL and SERVICE_API_KEY go before what is kept.",
    )
    .option("-u, --url <url>", "address of the service (default: asked for)")
    .option("--with-key-from-stdin", "read the key from standard input, and ask nothing", false)
    .addHelpText(
      "after",
      examples(
        ["vrs login", "asks for both"],
        ["vrs login --url https://vrs.example.com --with-key-from-stdin < key", "for scripts"],
      ),
    )
    .action(async (flags: LoginFlags) =>
      run(async ({ terminal, options }) => {
        const { logIn } = await import("../cloud/log-in.ts");
        const { url, teams, file, warning } = await logIn(terminal, flags);
        if (warning && !options.json) terminal.err(`Warning: ${warning}\n`);
        const who = teams.map(({ name, role }) => `${name} (${role})`).join(", ");
        if (options.json) terminal.out(`${JSON.stringify({ url, teams, file, warning }, null, 2)}\n`);
        else if (!options.quiet) terminal.out(`Logged in to ${url}: ${visibleLine(who)}. Kept in ${file}.\n`);
        return EXIT.ok;
      }),
    );
};

export const addLogout: AddCommand = (program, run) => {
  program
    .command("logout")
    .summary("Forget the address and the API key")
    .description(
      "Forgets what `vrs login` keeps. The key itself stays good until it is deleted at the service.",
    )
    .addHelpText("after", examples(["vrs logout", "before the machine goes to somebody else"]))
    .action(async () =>
      run(async ({ terminal, options }) => {
        const { forgetLogin } = await import("../cloud/access.ts");
        const forgotten = await forgetLogin(terminal.env);
        if (options.json) terminal.out(`${JSON.stringify({ forgotten })}\n`);
        else if (!options.quiet)
          terminal.out(forgotten ? "Logged out.\n" : "Nothing was kept: you were not logged in.\n");
        return EXIT.ok;
      }),
    );
};
