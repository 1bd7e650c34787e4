import type { VariableGroup } from "./variables.ts";

/** The variables of the code-host app, the deployment platform, and other providers. */
export const INTEGRATION_GROUPS: VariableGroup[] = [
  {
    title: "Code-host app",
    variables: {
      CODEHOST_API_URL: {
        preset: "the public code host's",
        meaning:
          "API address of an enterprise server of the code host, such as `https://code.example/api/v3`.",
      },
      CODEHOST_APP_ID: {
        meaning:
          "Id of the [code-host app](../tutorials/pull-requests.md). Without it, no pull request is checked.",
      },
      CODEHOST_APP_PRIVATE_KEY: {
        meaning:
          "The app's private key in PEM. Line breaks may be written `\\n`. Set both id and key or neither.",
      },
      CODEHOST_WEBHOOK_SECRET: {
        meaning:
          "Secret that the code host signs its events with. Without it, every event is answered with 500.",
      },
      SERVICE_CALLBACK_SECRET: {
        meaning:
          "Secret of the callback that closes check runs, the same at the app and at the Cloud API. Without it, the app accepts no callback.",
      },
      SERVICE_CALLBACK_URL: {
        meaning:
          "At the Cloud API: address of a code-host app elsewhere, which is called at `/runs/<check run>/complete`. An app in this installation doesn't need it.",
      },
      SERVICE_PREVIEW_URL_TEMPLATE: {
        meaning:
          "URL of a pull request's preview if no provider reports it, with `{owner}`, `{repo}`, `{prNumber}`, `{commitSha}`, `{commitShortSha}`, `{branch}`, `{branchSlug}`.",
      },
      PREVIEW_DOMAIN_B: {
        meaning:
          "Preview domain of a second deployment platform, such as `previews.example`. [Deployment statuses](pull-requests.md#which-deployments-count) with a URL there start a run.",
      },
      PREVIEW_DOMAIN_C: { meaning: "The same for a third." },
      PREVIEW_NAME_B: {
        preset: "from its domain",
        meaning:
          "Name of the second platform. Deployment statuses with it in their environment start a run. From `previews.example` it is `previews`.",
      },
      PREVIEW_NAME_C: { preset: "from its domain", meaning: "The same for the third." },
      PREVIEW_ENVIRONMENTS: {
        meaning:
          "Comma-separated environments of any other provider that start a run, such as `staging,review/*`. `*` stands for any text.",
      },
      SERVICE_ACTION: {
        preset: "`<owner>/vrs`",
        meaning:
          "`owner/repository` of the action in the workflow that the app proposes. Unless set, it is `vrs` in the account of each repository, if the app can see it there.",
      },
      SERVICE_BOOTSTRAP_FORKS: {
        meaning: "`0` excludes forks from bootstrap pull requests.",
      },
    },
  },
  {
    title: "Deployment platform",
    variables: {
      SERVICE_API_URL: {
        meaning:
          "Cloud API that the [deployment platform's integration](../guides/check-platform-previews.md) and the code-host app submit runs to: this service's own public address, or another installation's. Without it or the key, the app's runs belong to this installation and its default team.",
      },
      SERVICE_API_KEY: {
        meaning:
          "A reviewer's key for it. Runs belong to the key's team. With an admin's key, the code-host app also changes a project's default branch when the repository's changes.",
      },
      SERVICE_ROUTES: {
        meaning:
          "Comma-separated paths that are captured of every preview, such as `/,/pricing`. Without them, the Cloud API captures `/`.",
      },
      SERVICE_ROUTES_FROM_CONFIG: {
        meaning:
          "`1` captures the routes of the repository's `service.config.ts` if `SERVICE_ROUTES` isn't set.",
      },
      PLATFORM_TEAMS: {
        meaning:
          "`per-installation` gives each installation a team if `SERVICE_API_KEY` is an operator's. `shared` sends the runs of every installation to the team of `SERVICE_API_KEY`.",
      },
      PLATFORM_INTEGRATION_NAME: {
        meaning:
          "Name of the integration in `GET /health`. The code-host app recognizes the platform's commit statuses by it, as a word in their context.",
      },
      PLATFORM_CLIENT_SECRET: {
        meaning:
          "The integration's client secret at the platform, which signs deliveries. Without it, every delivery is answered with 500.",
      },
      PLATFORM_CLIENT_ID: {
        meaning:
          "The integration's client id. With the secret and the next three variables, the platform's users can install the integration. All of them are needed.",
      },
      PLATFORM_AUTHORIZE_URL: { meaning: "Page of the platform where a user installs the integration." },
      PLATFORM_TOKEN_URL: { meaning: "Endpoint of the platform that exchanges a code for a token." },
      PLATFORM_API_URL: {
        meaning:
          "The platform's API. An installation is read at `/v1/integrations/configuration/<id>`. A URL with `{configurationId}` is used as a whole.",
      },
      PLATFORM_PREVIEW_DOMAIN: {
        meaning: "Comma-separated domains of the platform's own previews. They need no consent.",
      },
      PLATFORM_SIGNATURE_HEADER: { meaning: "Header of the signature. Gateways need it too." },
      PLATFORM_META_PREFIX: {
        meaning: "Prefix of a deployment's git metadata: `scm` for `scmCommitSha`, `scmOrg`, …",
      },
      PLATFORM_UNINSTALL_EVENT: {
        meaning: "Type of the event that reports a removed installation.",
      },
    },
  },
  {
    title: "Payments, mail and incidents",
    variables: {
      STRIPE_SECRET_KEY: {
        meaning:
          "Key of the payment provider's account, `sk_…` or `rk_…`. With it, teams [pay for their plans](../guides/charge-for-plans.md), and teams without a subscription are on `free`. Set this one and the next three, or none. Nodes with `billing` need them.",
      },
      STRIPE_WEBHOOK_SECRET: { meaning: "Signing secret of the webhook endpoint, `whsec_…`." },
      STRIPE_PRICE_PRO: {
        meaning: "Id of the price of `pro`, `price_…`. After a comma, prices at which it was sold before.",
      },
      STRIPE_PRICE_BUSINESS: { meaning: "The same for `business`." },
      STRIPE_API_URL: { preset: "the provider's", meaning: "Another address of its API, for tests." },
      SMTP_URL: {
        meaning: `Mail server for invitations, notices and alerts, \`smtp://user:password@host:587\` or \`smtps://…:465\`. Without one, no email is sent. With \`smtp:\` the connection is encrypted if the server offers it; \`?requireTLS=true\` requires it. Other options of nodemailer work in the same way. See [Set up mail](../guides/run-the-service.md#set-up-mail).`,
      },
      NOTICE_DELAY_SECONDS: {
        meaning:
          "Time that notifications about a run wait for others. A person then gets one email for the run. The next email about the same run comes after five times this time at the earliest.",
      },
      MAIL_FROM: {
        meaning:
          "Sender of emails, `vrs@example.com` or `vrs <vrs@example.com>`. Set it together with `SMTP_URL`.",
      },
      PAGERDUTY_API_URL: {
        meaning:
          "Receiver of incidents. PagerDuty's EU region is `https://events.eu.pagerduty.com`, and others use the same API.",
      },
      DISCORD_API_URL: {
        meaning: "API of Discord that edits a message after a click on its buttons.",
      },
    },
  },
];
