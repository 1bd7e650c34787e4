import type { Diagnostics } from "../../contracts/capture/diagnostics.ts";

const MASKED = "•••";
/** A parameter of a query or a hash, in a URL or in a text with URLs. */
const PARAMETER = /([?&#;]([\w.~[\]%-]+)=)([^\s&#;"'`<>)]+)/g;
/** Credentials before a URL's host. */
const CREDENTIALS = /(\/\/)[^\s/@"']+@/g;
const TOKEN_NAME = /auth|code|cred|csrf|jwt|key|nonce|pass|pwd|secret|session|sid|sig|token|xsrf/i;
/** Long values with digits are ids at best. */
const TOKEN_VALUE = /^(?=.*\d)[\w.~+/=%:-]{20,}$/;

/** Masks what looks like a token in the URLs of diagnostics, because a whole team reads them. */
export function maskTokens(diagnostics: Diagnostics): Diagnostics {
  return {
    ...diagnostics,
    failedRequests: diagnostics.failedRequests.map(entry => ({ ...entry, url: masked(entry.url) })),
    consoleMessages: diagnostics.consoleMessages.map(entry => ({
      ...entry,
      text: masked(entry.text),
      url: entry.url && masked(entry.url),
    })),
    pageErrors: diagnostics.pageErrors.map(entry => ({
      ...entry,
      message: masked(entry.message),
      source: entry.source && masked(entry.source),
    })),
  };
}

/** Masks what looks like a token in the URLs of a text. */
export function masked(text: string): string {
  return text
    .replace(CREDENTIALS, `$1${MASKED}@`)
    .replace(PARAMETER, (all: string, start: string, name: string, value: string) =>
      TOKEN_NAME.test(name) || TOKEN_VALUE.test(value) ? start + MASKED : all,
    );
}
