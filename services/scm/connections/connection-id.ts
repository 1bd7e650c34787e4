/** The start of a connection's id. The ids of an app's installations are numbers. */
const PREFIX = "con_";

/** Returns whether an installation is a connection, and not an installation of the app. */
export function isConnection(installationId: string): boolean {
  return installationId.startsWith(PREFIX);
}
