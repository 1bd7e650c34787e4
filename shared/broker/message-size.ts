/** Most bytes of a list in one message on the bus: half of NATS's default maximum, which leaves room for the rest. */
const LIST_BYTES = 512 * 1024;

/** Returns how many of these values, from the first on, fit into one message on the bus: at least one. */
export function countFitting(values: readonly object[]): number {
  let bytes = 0;
  const tooMany = values.findIndex((value, index) => {
    bytes += Buffer.byteLength(JSON.stringify(value));
    return index > 0 && bytes > LIST_BYTES;
  });
  return tooMany === -1 ? values.length : tooMany;
}
