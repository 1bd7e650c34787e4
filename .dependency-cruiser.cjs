/** The rules of the layout: data flows one way, and services know each other by messages only. */
const from = path => ({ path });
const rule = (name, comment, fromPath, to) => ({ name, comment, severity: "error", from: fromPath, to });

module.exports = {
  forbidden: [
    rule("no-circular", "A cycle is one module in two files.", {}, { circular: true }),
    rule(
      "service-to-service",
      "A service asks another by a message.",
      { path: "^services/([^/]+)/" },
      { path: "^services/", pathNot: "^services/$1/" },
    ),
    rule("shared-is-below", "shared/ knows nothing of what is built on it.", from("^shared/"), {
      path: "^(services|mixins|cli|dashboard|test|bench)/",
    }),
    rule("mixins-are-below", "A mixin is a resource, not a use case.", from("^mixins/"), {
      path: "^(services|cli|dashboard|test|bench)/",
    }),
    rule(
      "clients-are-outside",
      "The command line and the dashboard speak HTTP like everybody else.",
      from("^(cli|dashboard)/"),
      {
        path: "^(services|mixins)/",
      },
    ),
    rule("the-dashboard-runs-in-browsers", "A browser has no Node.", from("^dashboard/"), {
      dependencyTypes: ["core"],
    }),
    rule(
      "the-engine-stands-alone",
      "Capture, comparison, report and the rules of alerts work without the service.",
      from("^shared/(alerts|capture|compare|report)/"),
      { path: "node_modules/(moleculer|moleculer-web|pg|@mikro-orm|@electric-sql)/|^shared/config\\.ts$" },
    ),
    rule(
      "pure-rules-stand-alone",
      "A rule decides on what it is given.",
      from("^(services|shared)/.*(\\.rule|/(describe|present|render)-[^/]+)\\.ts$"),
      { path: "node_modules/(moleculer|pg|@mikro-orm|@electric-sql)/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "queries-live-in-stores",
      "Only stores, entities and migrations know the ORM.",
      { path: "^services/", pathNot: "(store|entity)\\.ts$|/migrations/|/submit-run\\.ts$" },
      {
        path: "node_modules/@mikro-orm/",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "one-browser-adapter",
      "Only the capture engine drives a browser.",
      { path: "^(services|mixins|cli)/" },
      {
        path: "node_modules/(playwright|playwright-core|@sparticuz)/",
        // The types of Playwright's runner, which calls cli/playwright.
        pathNot: "node_modules/playwright/(test|types/testReporter)\\.d\\.ts$",
      },
    ),
    rule(
      "one-code-host-adapter",
      "What the code host's client does is said in one file of each service that speaks to it.",
      {
        path: "^(services|mixins|shared|cli)/",
        pathNot: "^services/(teams/sign-in/code-host|scm/code-host/github/github-app)\\.ts$",
      },
      { path: "node_modules/@octokit/" },
    ),
    rule(
      "one-identity-provider-adapter",
      "What the client of identity providers does is said in one folder.",
      { path: "^(services|mixins|shared|cli)/", pathNot: "^services/teams/sign-in/oidc/" },
      { path: "node_modules/openid-client/" },
    ),
    rule(
      "one-payment-adapter",
      "What the payment provider's client does is said in one file.",
      {
        path: "^(services|mixins|shared|cli)/",
        pathNot: "^services/billing/payments/payment-provider\\.ts$",
      },
      { path: "node_modules/stripe/" },
    ),
    rule(
      "one-mail-adapter",
      "What the mail client does is said in one file.",
      { path: "^(services|mixins|shared|cli)/", pathNot: "^services/alerts/mail/mailer\\.ts$" },
      { path: "node_modules/nodemailer/" },
    ),
    rule(
      "parsers-apart",
      "A hostile source can end or hold up the process that parses it: only the file that a process of its own runs may.",
      {
        path: "^(services|mixins|shared|cli)/",
        pathNot:
          "^shared/project-config/static-reading/(source-process|read-in-this-process|read-source)\\.ts$",
      },
      {
        path: "^shared/project-config/static-reading/(parse-source|read-source|read-yaml|read-in-this-process)\\.ts$",
      },
    ),
    rule(
      "no-test-code",
      "The product does not lean on its tests.",
      { pathNot: "^(test|bench)/" },
      { path: "^(test|bench)/" },
    ),
    // The benchmarks have packages of their own, which are installed when they run; tsc checks their other imports.
    rule("resolvable", "Everything imported is there.", { pathNot: "^bench/" }, { couldNotResolve: true }),
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(bench/node_modules|dashboard/dist)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
