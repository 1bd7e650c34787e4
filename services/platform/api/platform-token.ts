/** What an installation asks the platform's API with. */
export interface PlatformToken {
  accessToken: string;
  /** The platform's team that it is asked about; null for a person's account. */
  teamId: string | null;
}
