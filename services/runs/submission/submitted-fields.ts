/** The fields of a submission that only a repetition needs. */
export interface SubmittedFields {
  partial: boolean;
  baselineBranch?: string;
  /** The commits of the base branch that the run's commit lacked. Without them, it would be compared with later baselines. */
  missingShas?: string[];
}
