import { configurationView } from "../../shared/contracts/configuration/configuration.ts";
import { secretList } from "../../shared/contracts/configuration/secrets.ts";

const PROJECT = "/v1/projects/acme%2Fshop";
const REFERENCE = `\${secret.CUSTOMER_PASSWORD}`;

const CONFIGURATION = {
  routes: ["/", "/pricing", "/account"],
  viewports: [375, { width: 1440, height: 900 }],
  threshold: 0.005,
  masks: [".clock"],
  ignoreRegions: [{ x: 80, y: 360, width: 1120, height: 120 }],
  environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15", deviceScaleFactor: 2 } },
  sessions: {
    customer: {
      url: "/login",
      steps: [
        { action: "fill", selector: "label=Email", value: "ada@example.com" },
        { action: "fill", selector: "label=Password", value: REFERENCE },
        { action: "click", selector: 'role=button[name="Sign in"]' },
      ],
      expect: { text: "Your account" },
    },
  },
  perRoute: { "/account": { session: "customer", environments: ["default", "dark"] } },
};

/** Responses of the service about a project's configuration, by path. */
export const configurationAnswers: [string, unknown][] = [
  [
    `${PROJECT}/configuration`,
    configurationView.parse({
      ...{ project: "acme/shop", version: 3, configuration: CONFIGURATION },
      ...{ missingSecrets: [], changedBy: "ada", changedAt: "2026-11-19T10:00:00.000Z" },
    }),
  ],
  [
    `${PROJECT}/secrets`,
    secretList.parse({
      data: [{ name: "CUSTOMER_PASSWORD", changedBy: "ada", changedAt: "2026-11-12T10:00:00.000Z" }],
    }),
  ],
];
