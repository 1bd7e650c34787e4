/** The rule is CommonJS, and comes without types. */
declare module "textlint-rule-sentence-length" {
  import type { TextlintRuleModule } from "@textlint/types";

  const rule: { default: TextlintRuleModule };
  export default rule;
}
