/** `vrs/client`: the typed client of `/v1` for scripts and other programs. */

export { ApiError } from "../../shared/api/api-exchanges.ts";
export type { Operations } from "./operations.ts";
export {
  type Answer,
  type ClientOptions,
  type Deprecated,
  type Item,
  type ListName,
  type OperationName,
  VrsClient,
} from "./vrs-client.ts";
