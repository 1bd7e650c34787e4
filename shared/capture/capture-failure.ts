/** Why a page could not be captured. */
export type CaptureFailure =
  | "refused_address"
  | "unreachable"
  | "http_status"
  | "timeout"
  | "too_large"
  | "redirect_loop"
  | "not_a_page"
  | "selector_missing"
  | "selector_invalid"
  | "page_crashed"
  | "script_failed"
  | "browser_lost";
