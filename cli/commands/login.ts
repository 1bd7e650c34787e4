import { visibleLine } from "../../shared/text/visible-text.ts";
import type { LoginFlags } from "../cloud/log-in.ts";
import { EXIT, toJson } from "../terminal.ts";
import { LOGIN_TEXTS } from "../texts/cloud.ts";
import { TOOL_ERRORS } from "../texts/errors.ts";
import { LOGIN_HELP, LOGOUT_HELP } from "../texts/help-service.ts";
import { type AddCommand, examples } from "./command.ts";

export const addLogin: AddCommand = (program, run) => {
  program
    .command("login")
    .summary(LOGIN_HELP.summary)
    .description(LOGIN_HELP.description)
    .option("-u, --url <url>", LOGIN_HELP.url)
    .option("--with-key-from-stdin", LOGIN_HELP.withKeyFromStdin, false)
    .addHelpText("after", examples(...LOGIN_HELP.examples))
    .action(async (flags: LoginFlags) =>
      run(async ({ terminal, options }) => {
        const { logIn } = await import("../cloud/log-in.ts");
        const { url, teams, file, warning } = await logIn(terminal, flags);
        if (warning && !options.json) terminal.err(`${TOOL_ERRORS.warningLabel} ${warning}\n`);
        const who = teams.map(({ name, role }) => LOGIN_TEXTS.team(name, role)).join(", ");
        if (options.json) terminal.out(`${toJson({ url, teams, file, warning })}\n`);
        else if (!options.quiet) terminal.out(`${LOGIN_TEXTS.signedIn(url, visibleLine(who), file)}\n`);
        return EXIT.ok;
      }),
    );
};

export const addLogout: AddCommand = (program, run) => {
  program
    .command("logout")
    .summary(LOGOUT_HELP.summary)
    .description(LOGOUT_HELP.description)
    .addHelpText("after", examples(...LOGOUT_HELP.examples))
    .action(async () =>
      run(async ({ terminal, options }) => {
        const { deleteLogin } = await import("../cloud/access.ts");
        const forgotten = await deleteLogin(terminal.env);
        if (options.json) terminal.out(`${toJson({ forgotten }, 0)}\n`);
        else if (!options.quiet)
          terminal.out(`${forgotten ? LOGIN_TEXTS.signedOut : LOGIN_TEXTS.notSignedIn}\n`);
        return EXIT.ok;
      }),
    );
};
