/** Why a page could not be captured. Apart from the engine, so that the tool's published types need no Node. */
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
  | "step_failed"
  | "session_failed"
  | "file_missing"
  | "tunnel_closed"
  | "browser_lost";
