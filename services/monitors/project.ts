/** The namespace of a monitor's baselines: one for each address that it has had. The statement that begins a check says the same. */
export function projectOf(monitorId: string, generation: number): string {
  return generation > 1 ? `monitor/${monitorId}/${generation}` : `monitor/${monitorId}`;
}
