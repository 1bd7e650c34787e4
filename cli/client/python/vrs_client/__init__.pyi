# Generated from the OpenAPI document by `npm run docs`. Edit the routes and contracts instead.
from datetime import datetime
from typing import Any, Callable, Iterator, Literal, Mapping, Optional, Tuple, Union, overload
from typing_extensions import NotRequired, TypedDict

class ApiError(Exception):
    status: int
    code: str
    request_id: Optional[str]

class VrsClient:
    def __init__(
        self,
        url: str,
        api_key: Union[str, Callable[[], str]],
        *,
        timeout: float = ...,
        retry_for: float = ...,
        on_deprecated: Optional[Callable[[str, Optional[datetime], Optional[datetime]], None]] = ...,
    ) -> None: ...
    @overload
    def call(self, name: Literal["POST /v1/run"], *, body: PostRunBody, idempotency_key: Optional[str] = ...) -> PostRunAnswer:
        """Start a run. It continues after the response. Keys that can only upload may start runs of archives of their project."""
    @overload
    def call(self, name: Literal["GET /v1/runs"], *, query: Optional[GetRunsQuery] = ...) -> GetRunsAnswer:
        """List the team's runs, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/runs/{id}"], *, params: GetRunsIdParams) -> GetRunsAnswerDataItem:
        """Get a run."""
    @overload
    def call(self, name: Literal["POST /v1/runs/{id}/cancel"], *, params: GetRunsIdParams) -> GetRunsAnswerDataItem:
        """Cancel a run that has not ended."""
    @overload
    def call(self, name: Literal["POST /v1/runs/{id}/rerun"], *, params: GetRunsIdParams, body: PostRunsIdRerunBody, idempotency_key: Optional[str] = ...) -> PostRunAnswer:
        """Capture an ended run again, as a new run: all its pages, or only those that failed."""
    @overload
    def call(self, name: Literal["POST /v1/runs/{id}/links/revoke"], *, params: GetRunsIdParams) -> GetRunsAnswerDataItem:
        """Revoke the links to a run's report and images. Returns new links."""
    @overload
    def call(self, name: Literal["GET /v1/screenshots/{runId}"], *, params: GetScreenshotsRunIdParams, query: Optional[GetScreenshotsRunIdQuery] = ...) -> GetScreenshotsRunIdAnswer:
        """List the screenshots of a run with their metadata."""
    @overload
    def call(self, name: Literal["POST /v1/screenshots/{id}/prove"], *, params: GetRunsIdParams) -> GetScreenshotsRunIdAnswerDataItemProof:
        """Prove which file causes a screenshot's change: capture the page with files of its baseline. It continues after the response, and counts as a run with one screenshot."""
    @overload
    def call(self, name: Literal["GET /v1/usage"]) -> GetUsageAnswer:
        """Get the team's usage and limits of this month."""
    @overload
    def call(self, name: Literal["GET /v1/usage/history"]) -> GetUsageHistoryAnswer:
        """Get the team's usage of the last twelve months, and a forecast for this one."""
    @overload
    def call(self, name: Literal["GET /v1/keys"], *, query: Optional[GetKeysQuery] = ...) -> GetKeysAnswer:
        """List the team's API keys."""
    @overload
    def call(self, name: Literal["POST /v1/keys"], *, body: PostKeysBody) -> PostKeysAnswer:
        """Create an API key. Only this response shows it."""
    @overload
    def call(self, name: Literal["DELETE /v1/keys/{id}"], *, params: GetRunsIdParams) -> None:
        """Revoke an API key. Takes effect immediately."""
    @overload
    def call(self, name: Literal["POST /v1/upload-keys"], *, body: PostUploadKeysBody) -> PostUploadKeysAnswer:
        """Exchange the OIDC token of a GitHub Actions job for a key with the scope upload, for 10 minutes."""
    @overload
    def call(self, name: Literal["POST /v1/builds"], *, body: PostBuildsBody, idempotency_key: Optional[str] = ...) -> PostBuildsAnswer:
        """Create a build of uploaded screenshots, or join the one with the same nonce."""
    @overload
    def call(self, name: Literal["GET /v1/builds/{id}"], *, params: GetRunsIdParams) -> PostBuildsAnswer:
        """Get a build with up to 500 images that it still needs. `GET /v1/runs/:id` has its result."""
    @overload
    def call(self, name: Literal["POST /v1/builds/{id}/shards"], *, params: GetRunsIdParams, body: PostBuildsIdShardsBody) -> PostBuildsAnswer:
        """List more screenshots of a build. Can be repeated."""
    @overload
    def call(self, name: Literal["POST /v1/builds/{id}/finalize"], *, params: GetRunsIdParams, body: PostBuildsIdFinalizeBody) -> PostBuildsAnswer:
        """Finalize a shard or a build. Once a build is complete, its screenshots are compared."""
    @overload
    def call(self, name: Literal["GET /v1/archives/{id}"], *, params: GetRunsIdParams, query: GetArchivesIdQuery) -> GetArchivesIdAnswer:
        """Get an archive of a project. It is then kept for at least a day."""
    @overload
    def call(self, name: Literal["GET /v1/runs/{id}/comments"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetRunsIdCommentsAnswer:
        """List the comments on a run and its screenshots, oldest first."""
    @overload
    def call(self, name: Literal["POST /v1/runs/{id}/comments"], *, params: GetRunsIdParams, body: PostRunsIdCommentsBody) -> GetRunsIdCommentsAnswerDataItem:
        """Comment on a run, a screenshot or a region, or reply to a comment."""
    @overload
    def call(self, name: Literal["PATCH /v1/comments/{id}"], *, params: GetRunsIdParams, body: PatchCommentsIdBody) -> GetRunsIdCommentsAnswerDataItem:
        """Edit a comment, or resolve or reopen its thread."""
    @overload
    def call(self, name: Literal["DELETE /v1/comments/{id}"], *, params: GetRunsIdParams) -> None:
        """Delete a comment. The first comment of a thread is deleted with its replies."""
    @overload
    def call(self, name: Literal["GET /v1/inbox"], *, query: Optional[GetInboxQuery] = ...) -> GetInboxAnswer:
        """List what waits for you over all projects of the team, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/runs/{id}/reviewers"], *, params: GetRunsIdParams) -> GetRunsIdReviewersAnswer:
        """List the reviewers who are assigned to a run."""
    @overload
    def call(self, name: Literal["PUT /v1/runs/{id}/reviewers"], *, params: GetRunsIdParams, body: PutRunsIdReviewersBody) -> GetRunsIdReviewersAnswer:
        """Replace the reviewers who are assigned to a run. New ones are notified."""
    @overload
    def call(self, name: Literal["GET /v1/projects/{project}/reviewers"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectReviewersAnswer:
        """Get the rules that assign reviewers to a project's runs."""
    @overload
    def call(self, name: Literal["PUT /v1/projects/{project}/reviewers"], *, params: GetProjectsProjectReviewersParams, body: PutProjectsProjectReviewersBody) -> GetProjectsProjectReviewersAnswer:
        """Replace the rules that assign reviewers to a project's runs. The project doesn't need to exist yet."""
    @overload
    def call(self, name: Literal["GET /v1/compare"], *, query: GetCompareQuery) -> GetCompareAnswer:
        """Compare the screenshots of any two runs, branches, environments, or moments of a monitor. Repeat the request while `status` is `comparing`."""
    @overload
    def call(self, name: Literal["POST /v1/baselines/{runId}/approve"], *, params: GetScreenshotsRunIdParams, body: Optional[PostBaselinesRunIdApproveBody] = ...) -> PostBaselinesRunIdApproveAnswer:
        """Approve all or some screenshots of a run as baselines."""
    @overload
    def call(self, name: Literal["POST /v1/baselines/{runId}/reject"], *, params: GetScreenshotsRunIdParams, body: PostBaselinesRunIdRejectBody) -> PostBaselinesRunIdRejectAnswer:
        """Reject all or some screenshots of a run. Ends their approval."""
    @overload
    def call(self, name: Literal["POST /v1/baselines/{runId}/dismiss"], *, params: GetScreenshotsRunIdParams, body: PostBaselinesRunIdDismissBody) -> PostBaselinesRunIdDismissAnswer:
        """Dismiss the reviews of all or some screenshots of a run."""
    @overload
    def call(self, name: Literal["GET /v1/projects"], *, query: Optional[GetProjectsQuery] = ...) -> GetProjectsAnswer:
        """List the team's projects, newest first. A project is a namespace of baselines."""
    @overload
    def call(self, name: Literal["GET /v1/overview"], *, query: GetOverviewQuery) -> GetOverviewAnswer:
        """Get the trend of a project's runs, and its slowest and flakiest pages."""
    @overload
    def call(self, name: Literal["PATCH /v1/projects/{id}"], *, params: GetRunsIdParams, body: PatchProjectsIdBody) -> GetProjectsAnswerDataItem:
        """Update a project's settings."""
    @overload
    def call(self, name: Literal["GET /v1/baselines"], *, query: GetBaselinesQuery) -> GetBaselinesAnswer:
        """List a project's current baselines by page. Default: those of the default branch."""
    @overload
    def call(self, name: Literal["GET /v1/baselines/history"], *, query: GetBaselinesHistoryQuery) -> GetBaselinesHistoryAnswer:
        """List all baselines of a page, latest first. Default: those of all branches."""
    @overload
    def call(self, name: Literal["POST /v1/baselines/{id}/restore"], *, params: GetRunsIdParams) -> GetBaselinesAnswerDataItem:
        """Restore an earlier baseline of its branch or pull request."""
    @overload
    def call(self, name: Literal["GET /v1/screenshots"], *, query: GetBaselinesHistoryQuery) -> GetScreenshotsAnswer:
        """List a page's screenshots across runs, newest first, with status and capture times."""
    @overload
    def call(self, name: Literal["GET /v1/noise"], *, query: GetNoiseQuery) -> GetNoiseAnswer:
        """Get a project's flakiest pages and suggested ignore regions."""
    @overload
    def call(self, name: Literal["POST /v1/noise/dismiss"], *, body: PostNoiseDismissBody) -> None:
        """Dismiss a suggested ignore region until three more observations of noise."""
    @overload
    def call(self, name: Literal["GET /v1/ignore-regions"], *, query: GetIgnoreRegionsQuery) -> GetIgnoreRegionsAnswer:
        """List a project's ignore rules, which are ignore regions and raised thresholds, newest first."""
    @overload
    def call(self, name: Literal["POST /v1/ignore-regions"], *, body: PostIgnoreRegionsBody) -> PostIgnoreRegionsAnswer:
        """Add an ignore rule: a region in which changed pixels don't count, or a raised threshold. It applies from the next run on, and at once to the undecided screenshots of one run."""
    @overload
    def call(self, name: Literal["POST /v1/ignore-regions/preview"], *, body: PostIgnoreRegionsPreviewBody) -> PostIgnoreRegionsPreviewAnswer:
        """Preview what an ignore rule would have hidden in the project's last ten completed runs."""
    @overload
    def call(self, name: Literal["GET /v1/ignore-regions/configuration"], *, query: GetNoiseQuery) -> GetIgnoreRegionsConfigurationAnswer:
        """Export a project's active ignore rules as a part of `service.config.ts`."""
    @overload
    def call(self, name: Literal["PATCH /v1/ignore-regions/{id}"], *, params: GetRunsIdParams, body: PatchIgnoreRegionsIdBody) -> GetIgnoreRegionsAnswerDataItem:
        """Change an ignore rule, or end it."""
    @overload
    def call(self, name: Literal["DELETE /v1/ignore-regions/{id}"], *, params: GetRunsIdParams, query: Optional[DeleteIgnoreRegionsIdQuery] = ...) -> None:
        """Remove an ignore rule. From the next run, changed pixels inside its region count."""
    @overload
    def call(self, name: Literal["GET /v1/projects/{project}/configuration"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectConfigurationAnswer:
        """Get a project's stored configuration. Runs use it where neither their body nor their repository sets a field. All monitors use the sessions of the project `monitors`."""
    @overload
    def call(self, name: Literal["PUT /v1/projects/{project}/configuration"], *, params: GetProjectsProjectReviewersParams, body: PutProjectsProjectConfigurationBody) -> GetProjectsProjectConfigurationAnswer:
        """Replace a project's stored configuration. The project doesn't need to exist yet."""
    @overload
    def call(self, name: Literal["POST /v1/projects/{project}/trials"], *, params: GetProjectsProjectReviewersParams, body: PostProjectsProjectTrialsBody) -> PostProjectsProjectTrialsAnswer:
        """Capture one page now to try a configuration. Get the result as a run and its screenshots. It has no baseline and no review, and is deleted after a day."""
    @overload
    def call(self, name: Literal["GET /v1/projects/{project}/secrets"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectSecretsAnswer:
        """List a project's secrets without their values. The project `monitors` has those of all monitors."""
    @overload
    def call(self, name: Literal["PUT /v1/projects/{project}/secrets/{name}"], *, params: PutProjectsProjectSecretsNameParams, body: PutProjectsProjectSecretsNameBody) -> GetProjectsProjectSecretsAnswerDataItem:
        """Set a secret of a project. Steps and sessions refer to it by its name."""
    @overload
    def call(self, name: Literal["DELETE /v1/projects/{project}/secrets/{name}"], *, params: PutProjectsProjectSecretsNameParams) -> None:
        """Delete a secret of a project. Pages that need it fail from then on."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/sign-in"], *, params: GetRunsIdParams) -> GetTeamsIdSignInAnswer:
        """Get a team's rules of sign-in, and its identity provider."""
    @overload
    def call(self, name: Literal["PUT /v1/teams/{id}/sign-in"], *, params: GetRunsIdParams, body: PutTeamsIdSignInBody) -> GetTeamsIdSignInAnswer:
        """Set the roles of an identity provider's users and groups, and whether members must use it."""
    @overload
    def call(self, name: Literal["PUT /v1/teams/{id}/provider"], *, params: GetRunsIdParams, body: PutTeamsIdProviderBody) -> GetTeamsIdSignInAnswer:
        """Set a team's own OpenID Connect provider. Its configuration is read first."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}/provider"], *, params: GetRunsIdParams) -> None:
        """Delete a team's own OpenID Connect provider, and end the sessions from it."""
    @overload
    def call(self, name: Literal["GET /v1/account/notices"]) -> GetAccountNoticesAnswer:
        """Get what you are notified of by email."""
    @overload
    def call(self, name: Literal["PATCH /v1/account/notices"], *, body: PatchAccountNoticesBody) -> GetAccountNoticesAnswer:
        """Change what you are notified of by email."""
    @overload
    def call(self, name: Literal["GET /v1/teams"], *, query: Optional[GetKeysQuery] = ...) -> GetTeamsAnswer:
        """List your teams. An API key has one team."""
    @overload
    def call(self, name: Literal["POST /v1/teams"], *, body: PostTeamsBody) -> Union[PostTeamsAnswer, PostTeamsAnswer2]:
        """Create a team, or with `teamId` change its members. Only admins can change others; every member can leave."""
    @overload
    def call(self, name: Literal["PATCH /v1/teams/{id}"], *, params: GetRunsIdParams, body: PatchTeamsIdBody) -> GetTeamsAnswerDataItem:
        """Update a team's name and its settings for reviews and links."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}"], *, params: GetRunsIdParams) -> GetTeamsAnswerDataItem:
        """Delete a team. It can be restored for seven days."""
    @overload
    def call(self, name: Literal["POST /v1/teams/{id}/restore"], *, params: GetRunsIdParams) -> GetTeamsAnswerDataItem:
        """Restore a deleted team."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/members"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetTeamsIdMembersAnswer:
        """List the members of a team."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}/members/me"], *, params: GetRunsIdParams) -> None:
        """Leave a team."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}/members/{member}/sessions"], *, params: DeleteTeamsIdMembersMemberSessionsParams) -> None:
        """End all sessions of a member."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/invitations"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetTeamsIdInvitationsAnswer:
        """List a team's pending invitations."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}/invitations/{invitation}"], *, params: DeleteTeamsIdInvitationsInvitationParams) -> None:
        """Revoke an invitation."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/activity"], *, params: GetRunsIdParams, query: Optional[GetTeamsIdActivityQuery] = ...) -> GetTeamsIdActivityAnswer:
        """List a team's activity, newest first."""
    @overload
    def call(self, name: Literal["POST /v1/teams/{id}/export"], *, params: GetRunsIdParams) -> PostTeamsIdExportAnswer:
        """Start an export of a team's data, or get the running one. Secrets are left out."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/export"], *, params: GetRunsIdParams) -> PostTeamsIdExportAnswer:
        """Get a team's latest export, with its progress."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/import"], *, params: GetRunsIdParams) -> GetTeamsIdImportAnswer:
        """Get a team's latest import, with its progress."""
    @overload
    def call(self, name: Literal["GET /v1/admin/code-host"]) -> GetAdminCodeHostAnswer:
        """Check whether the code-host app has the required permissions and events. For admins of the default team."""
    @overload
    def call(self, name: Literal["POST /v1/admin/code-host/app"], *, body: PostAdminCodeHostAppBody) -> PostAdminCodeHostAppAnswer:
        """Start the creation of the code-host app. Open the returned URL in a browser to continue."""
    @overload
    def call(self, name: Literal["POST /v1/admin/code-host/app/settings"], *, body: PostAdminCodeHostAppSettingsBody) -> PostAdminCodeHostAppSettingsAnswer:
        """Exchange the code host's code for the app's settings. Only this response shows them."""
    @overload
    def call(self, name: Literal["GET /v1/connections"]) -> GetConnectionsAnswer:
        """List the team's connected repositories, oldest first."""
    @overload
    def call(self, name: Literal["POST /v1/connections"], *, body: PostConnectionsBody) -> PostConnectionsAnswer:
        """Connect a repository of GitLab, Gitea, Forgejo or Bitbucket. Only this response shows the webhook's secret."""
    @overload
    def call(self, name: Literal["GET /v1/connections/{id}"], *, params: GetRunsIdParams) -> GetConnectionsAnswerDataItem:
        """Get a connected repository."""
    @overload
    def call(self, name: Literal["PATCH /v1/connections/{id}"], *, params: GetRunsIdParams, body: PatchConnectionsIdBody) -> GetConnectionsAnswerDataItem:
        """Change the token or the project of a connected repository."""
    @overload
    def call(self, name: Literal["DELETE /v1/connections/{id}"], *, params: GetRunsIdParams) -> None:
        """Disconnect a repository, and delete its webhook."""
    @overload
    def call(self, name: Literal["POST /v1/connections/{id}/rotate-secret"], *, params: GetRunsIdParams) -> PostConnectionsAnswer:
        """Replace the secret of a connected repository's webhook."""
    @overload
    def call(self, name: Literal["POST /v1/monitors"], *, body: PostMonitorsBody) -> PostMonitorsAnswer:
        """Create a monitor. Alert channels require the role `admin`."""
    @overload
    def call(self, name: Literal["GET /v1/monitors"], *, query: Optional[GetMonitorsQuery] = ...) -> GetMonitorsAnswer:
        """List the team's monitors, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}"], *, params: GetRunsIdParams) -> PostMonitorsAnswer:
        """Get a monitor and the status of its site."""
    @overload
    def call(self, name: Literal["PATCH /v1/monitors/{id}"], *, params: GetRunsIdParams, body: PatchMonitorsIdBody) -> PostMonitorsAnswer:
        """Update the given fields of a monitor. Alert channels require the role `admin`."""
    @overload
    def call(self, name: Literal["DELETE /v1/monitors/{id}"], *, params: GetRunsIdParams) -> None:
        """Delete a monitor and its history."""
    @overload
    def call(self, name: Literal["POST /v1/monitors/{id}/badge"], *, params: GetRunsIdParams) -> PostMonitorsAnswer:
        """Create a monitor's badge. A badge that exists gets another URL."""
    @overload
    def call(self, name: Literal["DELETE /v1/monitors/{id}/badge"], *, params: GetRunsIdParams) -> None:
        """Delete a monitor's badge."""
    @overload
    def call(self, name: Literal["POST /v1/monitors/{id}/run"], *, params: GetRunsIdParams) -> PostMonitorsIdRunAnswer:
        """Start a check now. Available on every plan."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/history"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetMonitorsIdHistoryAnswer:
        """List a monitor's checks, newest first, with the drift of each page."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/http-checks"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetMonitorsIdHttpChecksAnswer:
        """List the results of a monitor's HTTP check, newest first, with each region."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/drift"], *, params: GetRunsIdParams, query: Optional[GetMonitorsIdDriftQuery] = ...) -> GetMonitorsIdDriftAnswer:
        """Get chart data: how much each page differed from its baseline over time."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/uptime"], *, params: GetRunsIdParams, query: Optional[GetMonitorsIdUptimeQuery] = ...) -> GetMonitorsIdUptimeAnswer:
        """Get the uptime and the response times of a monitor and of each page."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/looks"], *, params: GetRunsIdParams, query: GetMonitorsIdLooksQuery) -> GetMonitorsIdLooksAnswer:
        """List how a page of a monitor looked over time: each look, when it came and went, and why."""
    @overload
    def call(self, name: Literal["DELETE /v1/monitors/{id}/snooze"], *, params: GetRunsIdParams) -> None:
        """Cancel a monitor's snooze. Does nothing if there is none."""
    @overload
    def call(self, name: Literal["POST /v1/monitors/{id}/snooze"], *, params: GetRunsIdParams, body: PostMonitorsIdSnoozeBody) -> PostMonitorsIdSnoozeAnswer:
        """Snooze a monitor's alerts for a number of hours."""
    @overload
    def call(self, name: Literal["POST /v1/monitors/{id}/test-alert"], *, params: GetRunsIdParams) -> PostMonitorsIdTestAlertAnswer:
        """Send a test alert to every channel of a monitor. The list is empty if it has none."""
    @overload
    def call(self, name: Literal["GET /v1/admin/consents"], *, query: Optional[GetKeysQuery] = ...) -> GetAdminConsentsAnswer:
        """List the consents to render previews on custom domains. For admins of the default team."""
    @overload
    def call(self, name: Literal["PUT /v1/admin/consents/{key}"], *, params: PutAdminConsentsKeyParams) -> GetAdminConsentsAnswerDataItem:
        """Allow previews on custom domains for a project, or for all projects of a team."""
    @overload
    def call(self, name: Literal["DELETE /v1/admin/consents/{key}"], *, params: PutAdminConsentsKeyParams) -> None:
        """Revoke a consent. Applies from the next preview."""
    @overload
    def call(self, name: Literal["GET /v1/installs"], *, query: Optional[GetKeysQuery] = ...) -> GetInstallsAnswer:
        """List the team's installations at the deployment platform; those of every team for operators."""
    @overload
    def call(self, name: Literal["PUT /v1/installs/{configurationId}/projects/{projectId}"], *, params: PutInstallsConfigurationIdProjectsProjectIdParams, body: PutInstallsConfigurationIdProjectsProjectIdBody) -> GetInstallsAnswerDataItem:
        """Change the routes or the API key of a project at the deployment platform."""
    @overload
    def call(self, name: Literal["PUT /v1/admin/installs/{configurationId}"], *, params: PutAdminInstallsConfigurationIdParams, body: PutAdminInstallsConfigurationIdBody) -> None:
        """Choose the team that an installation's runs are for, before or after it is installed."""
    @overload
    def call(self, name: Literal["POST /v1/admin/installs/{configurationId}/admins"], *, params: PutAdminInstallsConfigurationIdParams, body: PostAdminInstallsConfigurationIdAdminsBody) -> PostTeamsAnswer:
        """Make a user an admin of the team that an installation created."""
    @overload
    def call(self, name: Literal["GET /v1/billing"]) -> GetBillingAnswer:
        """Get the team's plan and subscription."""
    @overload
    def call(self, name: Literal["POST /v1/billing/checkout"], *, body: PostBillingCheckoutBody) -> PostBillingCheckoutAnswer:
        """Create a checkout page to buy a plan or confirm a plan change."""
    @overload
    def call(self, name: Literal["POST /v1/billing/portal"]) -> PostBillingCheckoutAnswer:
        """Create a billing portal page to manage the subscription and payment method."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/deliveries"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetMonitorsIdDeliveriesAnswer:
        """List a monitor's notifications with receivers and results, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/monitors/{id}/alerts"], *, params: GetRunsIdParams, query: Optional[GetMonitorsIdDriftQuery] = ...) -> GetMonitorsIdAlertsAnswer:
        """Get a monitor's alerts and snoozes, and the latest message to each receiver."""
    @overload
    def call(self, name: Literal["GET /v1/alerts/channels"]) -> GetAlertsChannelsAnswer:
        """Get the alert channels that are available."""
    @overload
    def call(self, name: Literal["GET /v1/projects/{project}/email"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectEmailAnswer:
        """Get the email addresses that get a project's runs that need review."""
    @overload
    def call(self, name: Literal["PUT /v1/projects/{project}/email"], *, params: GetProjectsProjectReviewersParams, body: PutProjectsProjectEmailBody) -> GetProjectsProjectEmailAnswer:
        """Set a project's email addresses. They get its runs that need review, or the alerts of all monitors for the project `monitors`. The project doesn't need to exist yet."""
    @overload
    def call(self, name: Literal["GET /v1/projects/{project}/chat"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectChatAnswer:
        """Get the chat channel that gets notifications about a project's runs."""
    @overload
    def call(self, name: Literal["PUT /v1/projects/{project}/chat"], *, params: GetProjectsProjectReviewersParams, body: PutProjectsProjectChatBody) -> GetProjectsProjectChatAnswer:
        """Set or remove a project's chat channel. The project doesn't need to exist yet."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/chat-channels"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> GetTeamsIdChatChannelsAnswer:
        """List the chat channels of a team's projects, each with its last message."""
    @overload
    def call(self, name: Literal["POST /v1/projects/{project}/chat/test"], *, params: GetProjectsProjectReviewersParams) -> GetProjectsProjectChatAnswer:
        """Send a test message to a project's chat channel."""
    @overload
    def call(self, name: Literal["GET /v1/teams/{id}/chat-apps"], *, params: GetRunsIdParams) -> GetTeamsIdChatAppsAnswer:
        """List the chat tools whose buttons can review runs, and the URL to set in each app."""
    @overload
    def call(self, name: Literal["PUT /v1/teams/{id}/chat-apps/{tool}"], *, params: PutTeamsIdChatAppsToolParams, body: PutTeamsIdChatAppsToolBody) -> GetTeamsIdChatAppsAnswerDataItem:
        """Set the Slack app or Discord application of a team."""
    @overload
    def call(self, name: Literal["DELETE /v1/teams/{id}/chat-apps/{tool}"], *, params: PutTeamsIdChatAppsToolParams) -> None:
        """Remove the app of a chat tool, and the links of its people."""
    @overload
    def call(self, name: Literal["DELETE /v1/account/chat-links"]) -> None:
        """Unlink all people of chat tools that can review as you."""
    @overload
    def call(self, name: Literal["GET /v1/incidents"], *, query: Optional[GetIncidentsQuery] = ...) -> GetIncidentsAnswer:
        """List the incidents of all monitors, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/incidents/{id}"], *, params: GetRunsIdParams) -> GetIncidentsIdAnswer:
        """Get an incident and its timeline."""
    @overload
    def call(self, name: Literal["POST /v1/incidents/{id}/acknowledge"], *, params: GetRunsIdParams) -> GetIncidentsIdAnswer:
        """Acknowledge an incident, so that its problem isn't alerted again."""
    @overload
    def call(self, name: Literal["PUT /v1/incidents/{id}/assignee"], *, params: GetRunsIdParams, body: PutIncidentsIdAssigneeBody) -> GetIncidentsIdAnswer:
        """Assign an incident to a member, who gets an email. Null removes the assignee."""
    @overload
    def call(self, name: Literal["POST /v1/incidents/{id}/comments"], *, params: GetRunsIdParams, body: PostIncidentsIdCommentsBody) -> GetIncidentsIdAnswer:
        """Add a comment to an incident's timeline."""
    @overload
    def call(self, name: Literal["POST /v1/incidents/{id}/resolve"], *, params: GetRunsIdParams, body: Optional[PostIncidentsIdResolveBody] = ...) -> GetIncidentsIdAnswer:
        """Resolve an incident by hand, and report the recovery to the receivers of its alert."""
    @overload
    def call(self, name: Literal["GET /v1/maintenance"], *, query: Optional[GetKeysQuery] = ...) -> GetMaintenanceAnswer:
        """List the maintenance windows that have not ended, newest first."""
    @overload
    def call(self, name: Literal["POST /v1/maintenance"], *, body: PostMaintenanceBody, idempotency_key: Optional[str] = ...) -> GetMaintenanceAnswerDataItem:
        """Plan a maintenance window, once or every week."""
    @overload
    def call(self, name: Literal["DELETE /v1/maintenance/{id}"], *, params: GetRunsIdParams) -> None:
        """End a maintenance window, now if it is active."""
    @overload
    def call(self, name: Literal["GET /v1/status-pages"]) -> GetStatusPagesAnswer:
        """List the team's status pages."""
    @overload
    def call(self, name: Literal["POST /v1/status-pages"], *, body: PostStatusPagesBody) -> GetStatusPagesAnswerDataItem:
        """Create a status page, which is public unless it has a password."""
    @overload
    def call(self, name: Literal["PUT /v1/status-pages/{id}"], *, params: GetRunsIdParams, body: PostStatusPagesBody) -> GetStatusPagesAnswerDataItem:
        """Replace a status page."""
    @overload
    def call(self, name: Literal["DELETE /v1/status-pages/{id}"], *, params: GetRunsIdParams) -> None:
        """Delete a status page."""
    @overload
    def call(self, name: Literal["GET /v1/webhooks"]) -> GetWebhooksAnswer:
        """List the team's webhooks, oldest first."""
    @overload
    def call(self, name: Literal["POST /v1/webhooks"], *, body: PostWebhooksBody) -> PostWebhooksAnswer:
        """Create a webhook. Only this response shows its secret."""
    @overload
    def call(self, name: Literal["GET /v1/webhooks/{id}"], *, params: GetRunsIdParams) -> GetWebhooksAnswerDataItem:
        """Get a webhook."""
    @overload
    def call(self, name: Literal["PATCH /v1/webhooks/{id}"], *, params: GetRunsIdParams, body: PatchWebhooksIdBody) -> GetWebhooksAnswerDataItem:
        """Change, pause or resume a webhook."""
    @overload
    def call(self, name: Literal["DELETE /v1/webhooks/{id}"], *, params: GetRunsIdParams) -> None:
        """Delete a webhook with its log."""
    @overload
    def call(self, name: Literal["POST /v1/webhooks/{id}/rotate-secret"], *, params: GetRunsIdParams, body: PostWebhooksIdRotateSecretBody) -> PostWebhooksAnswer:
        """Replace a webhook's secret. The previous one signs too for some hours."""
    @overload
    def call(self, name: Literal["POST /v1/webhooks/{id}/test"], *, params: GetRunsIdParams) -> PostWebhooksIdTestAnswer:
        """Send a test event to a webhook. Its log shows the result."""
    @overload
    def call(self, name: Literal["GET /v1/webhooks/{id}/deliveries"], *, params: GetRunsIdParams, query: Optional[GetWebhooksIdDeliveriesQuery] = ...) -> GetWebhooksIdDeliveriesAnswer:
        """List the deliveries of a webhook of the last 30 days, newest first."""
    @overload
    def call(self, name: Literal["GET /v1/webhooks/{id}/deliveries/{delivery}"], *, params: GetWebhooksIdDeliveriesDeliveryParams) -> GetWebhooksIdDeliveriesDeliveryAnswer:
        """Get a delivery with the body of its request."""
    @overload
    def call(self, name: Literal["POST /v1/webhooks/{id}/deliveries/{delivery}/replay"], *, params: GetWebhooksIdDeliveriesDeliveryParams) -> PostWebhooksIdTestAnswer:
        """Send the event of a delivery again, with the same `webhook-id`."""
    @overload
    def call(self, name: Literal["GET /v1/admin/nodes"]) -> GetAdminNodesAnswer:
        """List the nodes of this service with their load, and the queues. For admins of the default team."""
    @overload
    def list(self, name: Literal["GET /v1/runs"], *, query: Optional[GetRunsQuery] = ...) -> Iterator[GetRunsAnswerDataItem]:
        """List the team's runs, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/screenshots/{runId}"], *, params: GetScreenshotsRunIdParams, query: Optional[GetScreenshotsRunIdQuery] = ...) -> Iterator[GetScreenshotsRunIdAnswerDataItem]:
        """List the screenshots of a run with their metadata."""
    @overload
    def list(self, name: Literal["GET /v1/keys"], *, query: Optional[GetKeysQuery] = ...) -> Iterator[GetKeysAnswerDataItem]:
        """List the team's API keys."""
    @overload
    def list(self, name: Literal["GET /v1/runs/{id}/comments"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[GetRunsIdCommentsAnswerDataItem]:
        """List the comments on a run and its screenshots, oldest first."""
    @overload
    def list(self, name: Literal["GET /v1/inbox"], *, query: Optional[GetInboxQuery] = ...) -> Iterator[GetInboxAnswerDataItem]:
        """List what waits for you over all projects of the team, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/compare"], *, query: GetCompareQuery) -> Iterator[GetCompareAnswerDataItem]:
        """Compare the screenshots of any two runs, branches, environments, or moments of a monitor. Repeat the request while `status` is `comparing`."""
    @overload
    def list(self, name: Literal["GET /v1/projects"], *, query: Optional[GetProjectsQuery] = ...) -> Iterator[GetProjectsAnswerDataItem]:
        """List the team's projects, newest first. A project is a namespace of baselines."""
    @overload
    def list(self, name: Literal["GET /v1/baselines"], *, query: GetBaselinesQuery) -> Iterator[GetBaselinesAnswerDataItem]:
        """List a project's current baselines by page. Default: those of the default branch."""
    @overload
    def list(self, name: Literal["GET /v1/baselines/history"], *, query: GetBaselinesHistoryQuery) -> Iterator[GetBaselinesHistoryAnswerDataItem]:
        """List all baselines of a page, latest first. Default: those of all branches."""
    @overload
    def list(self, name: Literal["GET /v1/screenshots"], *, query: GetBaselinesHistoryQuery) -> Iterator[GetScreenshotsAnswerDataItem]:
        """List a page's screenshots across runs, newest first, with status and capture times."""
    @overload
    def list(self, name: Literal["GET /v1/ignore-regions"], *, query: GetIgnoreRegionsQuery) -> Iterator[GetIgnoreRegionsAnswerDataItem]:
        """List a project's ignore rules, which are ignore regions and raised thresholds, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/teams"], *, query: Optional[GetKeysQuery] = ...) -> Iterator[GetTeamsAnswerDataItem]:
        """List your teams. An API key has one team."""
    @overload
    def list(self, name: Literal["GET /v1/teams/{id}/members"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[PostTeamsAnswerChangedItem]:
        """List the members of a team."""
    @overload
    def list(self, name: Literal["GET /v1/teams/{id}/invitations"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[PostTeamsAnswerInvitedItem]:
        """List a team's pending invitations."""
    @overload
    def list(self, name: Literal["GET /v1/teams/{id}/activity"], *, params: GetRunsIdParams, query: Optional[GetTeamsIdActivityQuery] = ...) -> Iterator[GetTeamsIdActivityAnswerDataItem]:
        """List a team's activity, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/connections"]) -> Iterator[GetConnectionsAnswerDataItem]:
        """List the team's connected repositories, oldest first."""
    @overload
    def list(self, name: Literal["GET /v1/monitors"], *, query: Optional[GetMonitorsQuery] = ...) -> Iterator[PostMonitorsAnswer]:
        """List the team's monitors, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/monitors/{id}/history"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[PostMonitorsIdRunAnswer]:
        """List a monitor's checks, newest first, with the drift of each page."""
    @overload
    def list(self, name: Literal["GET /v1/monitors/{id}/http-checks"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[GetMonitorsIdHttpChecksAnswerDataItem]:
        """List the results of a monitor's HTTP check, newest first, with each region."""
    @overload
    def list(self, name: Literal["GET /v1/admin/consents"], *, query: Optional[GetKeysQuery] = ...) -> Iterator[GetAdminConsentsAnswerDataItem]:
        """List the consents to render previews on custom domains. For admins of the default team."""
    @overload
    def list(self, name: Literal["GET /v1/installs"], *, query: Optional[GetKeysQuery] = ...) -> Iterator[GetInstallsAnswerDataItem]:
        """List the team's installations at the deployment platform; those of every team for operators."""
    @overload
    def list(self, name: Literal["GET /v1/monitors/{id}/deliveries"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[GetMonitorsIdDeliveriesAnswerDataItem]:
        """List a monitor's notifications with receivers and results, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/teams/{id}/chat-channels"], *, params: GetRunsIdParams, query: Optional[GetKeysQuery] = ...) -> Iterator[GetProjectsProjectChatAnswer]:
        """List the chat channels of a team's projects, each with its last message."""
    @overload
    def list(self, name: Literal["GET /v1/incidents"], *, query: Optional[GetIncidentsQuery] = ...) -> Iterator[GetIncidentsAnswerDataItem]:
        """List the incidents of all monitors, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/maintenance"], *, query: Optional[GetKeysQuery] = ...) -> Iterator[GetMaintenanceAnswerDataItem]:
        """List the maintenance windows that have not ended, newest first."""
    @overload
    def list(self, name: Literal["GET /v1/status-pages"]) -> Iterator[GetStatusPagesAnswerDataItem]:
        """List the team's status pages."""
    @overload
    def list(self, name: Literal["GET /v1/webhooks/{id}/deliveries"], *, params: GetRunsIdParams, query: Optional[GetWebhooksIdDeliveriesQuery] = ...) -> Iterator[PostWebhooksIdTestAnswer]:
        """List the deliveries of a webhook of the last 30 days, newest first."""
    def wait_for_run(self, run_id: str) -> GetRunsAnswerDataItem: ...
    def follow_run(self, run_id: str) -> Iterator[dict[str, Any]]: ...
    def follow_team(self) -> Iterator[Tuple[str, dict[str, Any]]]: ...

PostRunBodyStorybook = TypedDict("PostRunBodyStorybook", {
    "tags": NotRequired[list[str]],
    "onlyChanged": NotRequired[bool],
    "sources": NotRequired[Mapping[str, str]],
})

PostRunBodyViewportsItem = TypedDict("PostRunBodyViewportsItem", {
    "width": int,
    "height": int,
})

PostRunBodyScm = TypedDict("PostRunBodyScm", {
    "owner": str,
    "repo": str,
    "sha": str,
    "pr": NotRequired[int],
    "branch": NotRequired[str],
    "baseBranch": NotRequired[str],
    "defaultBranch": NotRequired[str],
    "baseSha": NotRequired[Union[str, None]],
    "fromFork": NotRequired[bool],
    "author": NotRequired[str],
    "message": NotRequired[str],
    "checkRunId": NotRequired[Union[int, str]],
    "missingShas": NotRequired[list[str]],
    "changedFiles": NotRequired[list[str]],
})

PostRunBodyOptionsIgnoreRegionsItem = TypedDict("PostRunBodyOptionsIgnoreRegionsItem", {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "viewport": NotRequired[int],
    "environment": NotRequired[str],
})

PostRunBodyOptionsIgnoreRegionsItem2 = TypedDict("PostRunBodyOptionsIgnoreRegionsItem2", {
    "selector": str,
    "padding": NotRequired[int],
    "viewport": NotRequired[int],
    "environment": NotRequired[str],
})

PostRunBodyOptionsNetworkItem = TypedDict("PostRunBodyOptionsNetworkItem", {
    "url": str,
    "action": Literal["block"],
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

PostRunBodyOptionsNetworkItem2 = TypedDict("PostRunBodyOptionsNetworkItem2", {
    "url": str,
    "action": Literal["fulfil"],
    "status": NotRequired[int],
    "contentType": NotRequired[str],
    "body": NotRequired[str],
    "file": NotRequired[str],
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

PostRunBodyOptionsNetworkItem3 = TypedDict("PostRunBodyOptionsNetworkItem3", {
    "url": str,
    "action": Literal["har"],
    "file": str,
    "notFound": NotRequired[Literal["abort", "continue"]],
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

PostRunBodyOptionsNetworkItem4 = TypedDict("PostRunBodyOptionsNetworkItem4", {
    "url": str,
    "action": Literal["delay"],
    "delayMs": int,
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

PostRunBodyOptionsStepsItem = TypedDict("PostRunBodyOptionsStepsItem", {
    "action": Literal["click"],
    "selector": str,
    "button": NotRequired[Literal["left", "middle", "right"]],
    "count": NotRequired[int],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem2 = TypedDict("PostRunBodyOptionsStepsItem2", {
    "action": Literal["hover"],
    "selector": str,
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem3 = TypedDict("PostRunBodyOptionsStepsItem3", {
    "action": Literal["focus"],
    "selector": str,
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem4 = TypedDict("PostRunBodyOptionsStepsItem4", {
    "action": Literal["fill"],
    "selector": str,
    "value": str,
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem5 = TypedDict("PostRunBodyOptionsStepsItem5", {
    "action": Literal["press"],
    "key": str,
    "selector": NotRequired[str],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem6 = TypedDict("PostRunBodyOptionsStepsItem6", {
    "action": Literal["select"],
    "selector": str,
    "value": Union[str, list[str]],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem7 = TypedDict("PostRunBodyOptionsStepsItem7", {
    "action": Literal["check"],
    "selector": str,
    "checked": NotRequired[bool],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem8 = TypedDict("PostRunBodyOptionsStepsItem8", {
    "action": Literal["drag"],
    "selector": str,
    "to": str,
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem9FilesItem = TypedDict("PostRunBodyOptionsStepsItem9FilesItem", {
    "name": str,
    "contentType": NotRequired[str],
    "base64": str,
})

PostRunBodyOptionsStepsItem9 = TypedDict("PostRunBodyOptionsStepsItem9", {
    "action": Literal["upload"],
    "selector": str,
    "files": list[PostRunBodyOptionsStepsItem9FilesItem],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem10 = TypedDict("PostRunBodyOptionsStepsItem10", {
    "action": Literal["scrollTo"],
    "selector": NotRequired[str],
    "y": NotRequired[int],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem11 = TypedDict("PostRunBodyOptionsStepsItem11", {
    "action": Literal["waitFor"],
    "selector": NotRequired[str],
    "text": NotRequired[str],
    "request": NotRequired[str],
    "idle": NotRequired[Literal[True]],
    "function": NotRequired[str],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem12 = TypedDict("PostRunBodyOptionsStepsItem12", {
    "action": Literal["goto"],
    "url": str,
    "status": NotRequired[int],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem13 = TypedDict("PostRunBodyOptionsStepsItem13", {
    "action": Literal["setViewport"],
    "width": int,
    "height": NotRequired[int],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsStepsItem14Element = TypedDict("PostRunBodyOptionsStepsItem14Element", {
    "selector": str,
    "all": NotRequired[bool],
})

PostRunBodyOptionsStepsItem14 = TypedDict("PostRunBodyOptionsStepsItem14", {
    "action": Literal["screenshot"],
    "name": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsEnvironmentsEntryGeolocation = TypedDict("PostRunBodyOptionsEnvironmentsEntryGeolocation", {
    "latitude": float,
    "longitude": float,
    "accuracy": NotRequired[float],
})

PostRunBodyOptionsEnvironmentsEntry = TypedDict("PostRunBodyOptionsEnvironmentsEntry", {
    "browser": NotRequired[Literal["chromium", "firefox", "webkit"]],
    "device": NotRequired[str],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "deviceScaleFactor": NotRequired[float],
    "isMobile": NotRequired[bool],
    "hasTouch": NotRequired[bool],
    "userAgent": NotRequired[str],
    "colorScheme": NotRequired[Literal["light", "dark"]],
    "forcedColors": NotRequired[Literal["none", "active"]],
    "reducedMotion": NotRequired[Literal["reduce", "no-preference"]],
    "contrast": NotRequired[Literal["no-preference", "more"]],
    "media": NotRequired[Literal["screen", "print"]],
    "locale": NotRequired[str],
    "timezone": NotRequired[str],
    "geolocation": NotRequired[PostRunBodyOptionsEnvironmentsEntryGeolocation],
    "clock": NotRequired[str],
    "offline": NotRequired[bool],
    "javaScript": NotRequired[bool],
})

PostRunBodyOptionsSessionsEntryExpect = TypedDict("PostRunBodyOptionsSessionsEntryExpect", {
    "selector": NotRequired[str],
    "text": NotRequired[str],
    "request": NotRequired[str],
    "idle": NotRequired[Literal[True]],
    "function": NotRequired[str],
    "timeoutMs": NotRequired[int],
})

PostRunBodyOptionsSessionsEntryCookiesItem = TypedDict("PostRunBodyOptionsSessionsEntryCookiesItem", {
    "name": str,
    "value": str,
    "domain": NotRequired[str],
    "path": NotRequired[str],
})

PostRunBodyOptionsSessionsEntryBasicAuth = TypedDict("PostRunBodyOptionsSessionsEntryBasicAuth", {
    "username": str,
    "password": str,
})

PostRunBodyOptionsSessionsEntryClientCertificatesItem = TypedDict("PostRunBodyOptionsSessionsEntryClientCertificatesItem", {
    "origin": NotRequired[str],
    "cert": NotRequired[str],
    "key": NotRequired[str],
    "passphrase": NotRequired[str],
    "certPath": NotRequired[str],
    "keyPath": NotRequired[str],
})

PostRunBodyOptionsSessionsEntry = TypedDict("PostRunBodyOptionsSessionsEntry", {
    "url": NotRequired[str],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "expect": NotRequired[PostRunBodyOptionsSessionsEntryExpect],
    "cookies": NotRequired[list[PostRunBodyOptionsSessionsEntryCookiesItem]],
    "storageState": NotRequired[str],
    "basicAuth": NotRequired[PostRunBodyOptionsSessionsEntryBasicAuth],
    "clientCertificates": NotRequired[list[PostRunBodyOptionsSessionsEntryClientCertificatesItem]],
})

PostRunBodyOptionsPerRouteEntry = TypedDict("PostRunBodyOptionsPerRouteEntry", {
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "threshold": NotRequired[float],
    "environments": NotRequired[list[str]],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
})

PostRunBodyOptions = TypedDict("PostRunBodyOptions", {
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, PostRunBodyOptionsEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, PostRunBodyOptionsSessionsEntry]],
    "allowHosts": NotRequired[list[str]],
    "perRoute": NotRequired[Mapping[str, PostRunBodyOptionsPerRouteEntry]],
})

PostRunBodyIntent = TypedDict("PostRunBodyIntent", {
    "routes": NotRequired[list[str]],
    "selectors": NotRequired[list[str]],
    "words": NotRequired[list[str]],
})

PostRunBody = TypedDict("PostRunBody", {
    "url": NotRequired[str],
    "archive": NotRequired[str],
    "storybook": NotRequired[Union[Literal[True], PostRunBodyStorybook]],
    "routes": NotRequired[list[str]],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "threshold": NotRequired[float],
    "project": NotRequired[str],
    "branch": NotRequired[str],
    "baselineBranch": NotRequired[str],
    "scm": NotRequired[PostRunBodyScm],
    "partial": NotRequired[bool],
    "options": NotRequired[PostRunBodyOptions],
    "tunnel": NotRequired[str],
    "intent": NotRequired[PostRunBodyIntent],
    "rerun": NotRequired[Literal[True]],
})

PostRunAnswerLinks = TypedDict("PostRunAnswerLinks", {
    "self": str,
    "report": str,
})

PostRunAnswer = TypedDict("PostRunAnswer", {
    "id": str,
    "status": Literal["queued", "rendering", "comparing", "completed", "failed", "canceled"],
    "project": str,
    "links": PostRunAnswerLinks,
    "deduplicated": NotRequired[Literal[True]],
})

GetRunsQuery = TypedDict("GetRunsQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "status": NotRequired[Literal["queued", "rendering", "comparing", "completed", "failed", "canceled"]],
    "conclusion": NotRequired[Literal["passed", "changed", "new", "approved", "rejected"]],
    "project": NotRequired[str],
    "branch": NotRequired[str],
    "needsReview": NotRequired[Literal["1"]],
    "monitors": NotRequired[Literal["0", "1"]],
})

GetRunsAnswerDataItemScm = TypedDict("GetRunsAnswerDataItemScm", {
    "owner": str,
    "repo": str,
    "sha": str,
    "pr": NotRequired[int],
    "branch": NotRequired[str],
    "baseBranch": NotRequired[str],
    "defaultBranch": NotRequired[str],
    "baseSha": NotRequired[Union[str, None]],
    "fromFork": NotRequired[bool],
    "author": NotRequired[str],
    "message": NotRequired[str],
    "checkRunId": NotRequired[Union[int, str]],
})

GetRunsAnswerDataItemProgress = TypedDict("GetRunsAnswerDataItemProgress", {
    "total": int,
    "captured": int,
    "compared": int,
})

GetRunsAnswerDataItemCounts = TypedDict("GetRunsAnswerDataItemCounts", {
    "unchanged": int,
    "minor": int,
    "changed": int,
    "new": int,
    "removed": int,
    "failed": int,
})

GetRunsAnswerDataItemWarningsItemPlace = TypedDict("GetRunsAnswerDataItemWarningsItemPlace", {
    "path": str,
    "line": int,
    "column": int,
    "endLine": int,
    "endColumn": int,
})

GetRunsAnswerDataItemWarningsItem = TypedDict("GetRunsAnswerDataItemWarningsItem", {
    "message": str,
    "place": Union[GetRunsAnswerDataItemWarningsItemPlace, None],
})

GetRunsAnswerDataItemCausesItem = TypedDict("GetRunsAnswerDataItemCausesItem", {
    "key": str,
    "kind": Literal["failed_request", "missing_file", "font", "browser", "viewport", "document", "style", "added", "removed", "shown", "hidden", "reordered", "text", "image", "attribute", "resized"],
    "text": str,
    "screenshots": int,
    "isProven": NotRequired[bool],
})

GetRunsAnswerDataItemStories = TypedDict("GetRunsAnswerDataItemStories", {
    "total": int,
    "skipped": int,
    "audited": int,
    "by": Literal["sources", "files"],
    "missed": list[str],
})

GetRunsAnswerDataItemIntent = TypedDict("GetRunsAnswerDataItemIntent", {
    "routes": list[str],
    "selectors": list[str],
    "words": list[str],
    "intended": Union[int, None],
    "unintended": Union[int, None],
})

GetRunsAnswerDataItemConfiguredBy = TypedDict("GetRunsAnswerDataItemConfiguredBy", {
    "repository": list[str],
    "project": list[str],
})

GetRunsAnswerDataItem = TypedDict("GetRunsAnswerDataItem", {
    "id": str,
    "status": Literal["queued", "rendering", "comparing", "completed", "failed", "canceled"],
    "conclusion": Union[Literal["passed", "changed", "new", "approved", "rejected"], None],
    "kind": Literal["run", "null-rerun", "trial"],
    "source": Literal["capture", "upload"],
    "project": str,
    "url": str,
    "branch": Union[str, None],
    "scm": Union[GetRunsAnswerDataItemScm, None],
    "threshold": float,
    "submittedBy": Union[str, None],
    "progress": GetRunsAnswerDataItemProgress,
    "counts": GetRunsAnswerDataItemCounts,
    "createdAt": str,
    "startedAt": Union[str, None],
    "completedAt": Union[str, None],
    "error": Union[str, None],
    "warnings": list[GetRunsAnswerDataItemWarningsItem],
    "causes": list[GetRunsAnswerDataItemCausesItem],
    "stories": NotRequired[GetRunsAnswerDataItemStories],
    "intent": NotRequired[GetRunsAnswerDataItemIntent],
    "configuredBy": NotRequired[GetRunsAnswerDataItemConfiguredBy],
    "links": PostRunAnswerLinks,
})

GetRunsAnswer = TypedDict("GetRunsAnswer", {
    "data": list[GetRunsAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetRunsIdParams = TypedDict("GetRunsIdParams", {
    "id": str,
})

PostRunsIdRerunBody = TypedDict("PostRunsIdRerunBody", {
    "only": NotRequired[Literal["failed"]],
})

GetScreenshotsRunIdParams = TypedDict("GetScreenshotsRunIdParams", {
    "runId": str,
})

GetScreenshotsRunIdQuery = TypedDict("GetScreenshotsRunIdQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "status": NotRequired[Literal["pending", "unchanged", "changed", "new", "removed", "failed"]],
    "order": NotRequired[Literal["id", "need"]],
})

GetScreenshotsRunIdAnswerDataItemRegionsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemRegionsItem", {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
})

GetScreenshotsRunIdAnswerDataItemIgnoredRegionsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemIgnoredRegionsItem", {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "pixels": int,
    "selector": NotRequired[str],
    "rule": NotRequired[str],
})

GetScreenshotsRunIdAnswerDataItemIgnored = TypedDict("GetScreenshotsRunIdAnswerDataItemIgnored", {
    "pixels": int,
    "regions": list[GetScreenshotsRunIdAnswerDataItemIgnoredRegionsItem],
})

GetScreenshotsRunIdAnswerDataItemRaised = TypedDict("GetScreenshotsRunIdAnswerDataItemRaised", {
    "rule": str,
    "from": float,
    "to": float,
})

GetScreenshotsRunIdAnswerDataItemExplanationCausesItemFile = TypedDict("GetScreenshotsRunIdAnswerDataItemExplanationCausesItemFile", {
    "url": str,
    "change": Literal["changed", "added", "removed", "failed"],
    "source": NotRequired[str],
    "since": NotRequired[str],
})

GetScreenshotsRunIdAnswerDataItemExplanationCausesItem = TypedDict("GetScreenshotsRunIdAnswerDataItemExplanationCausesItem", {
    "kind": Literal["failed_request", "missing_file", "font", "browser", "viewport", "document", "style", "added", "removed", "shown", "hidden", "reordered", "text", "image", "attribute", "resized"],
    "key": str,
    "text": str,
    "selector": Union[str, None],
    "elements": int,
    "property": Union[str, None],
    "before": Union[str, None],
    "after": Union[str, None],
    "file": Union[GetScreenshotsRunIdAnswerDataItemExplanationCausesItemFile, None],
    "rule": Union[str, None],
})

GetScreenshotsRunIdAnswerDataItemExplanationAccessibilityItem = TypedDict("GetScreenshotsRunIdAnswerDataItemExplanationAccessibilityItem", {
    "kind": Literal["name_lost", "name_changed", "role_changed", "contrast"],
    "text": str,
    "selector": str,
    "before": Union[str, None],
    "after": Union[str, None],
})

GetScreenshotsRunIdAnswerDataItemExplanation = TypedDict("GetScreenshotsRunIdAnswerDataItemExplanation", {
    "causes": list[GetScreenshotsRunIdAnswerDataItemExplanationCausesItem],
    "effects": list[str],
    "accessibility": list[GetScreenshotsRunIdAnswerDataItemExplanationAccessibilityItem],
})

GetScreenshotsRunIdAnswerDataItemProduction = TypedDict("GetScreenshotsRunIdAnswerDataItemProduction", {
    "since": str,
    "seenAt": str,
    "monitorId": str,
    "lookId": str,
    "link": str,
})

GetScreenshotsRunIdAnswerDataItemProof = TypedDict("GetScreenshotsRunIdAnswerDataItemProof", {
    "status": Literal["running", "done"],
    "outcome": Union[Literal["proven", "not_explained", "not_kept", "no_change", "page_changed", "unreachable", "failed"], None],
    "text": str,
    "files": list[str],
    "captures": int,
    "requestedBy": str,
    "requestedAt": str,
    "endedAt": Union[str, None],
})

GetScreenshotsRunIdAnswerDataItemBaseline = TypedDict("GetScreenshotsRunIdAnswerDataItemBaseline", {
    "runId": str,
    "reason": str,
    "width": Union[int, None],
    "height": Union[int, None],
})

GetScreenshotsRunIdAnswerDataItemImages = TypedDict("GetScreenshotsRunIdAnswerDataItemImages", {
    "current": Union[str, None],
    "baseline": Union[str, None],
    "diff": Union[str, None],
    "change": NotRequired[Union[str, None]],
    "failure": NotRequired[Union[str, None]],
})

GetScreenshotsRunIdAnswerDataItemStepsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemStepsItem", {
    "name": str,
    "ms": int,
    "outcome": Literal["done", "failed"],
})

GetScreenshotsRunIdAnswerDataItemDiagnosticsFailedRequestsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemDiagnosticsFailedRequestsItem", {
    "url": str,
    "method": str,
    "type": str,
    "status": Union[int, None],
    "error": Union[str, None],
    "times": int,
    "isNew": NotRequired[bool],
})

GetScreenshotsRunIdAnswerDataItemDiagnosticsConsoleMessagesItem = TypedDict("GetScreenshotsRunIdAnswerDataItemDiagnosticsConsoleMessagesItem", {
    "level": Literal["error", "warning"],
    "text": str,
    "url": Union[str, None],
    "line": Union[int, None],
    "times": int,
    "isNew": NotRequired[bool],
})

GetScreenshotsRunIdAnswerDataItemDiagnosticsPageErrorsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemDiagnosticsPageErrorsItem", {
    "message": str,
    "source": Union[str, None],
    "times": int,
    "isNew": NotRequired[bool],
})

GetScreenshotsRunIdAnswerDataItemDiagnosticsDropped = TypedDict("GetScreenshotsRunIdAnswerDataItemDiagnosticsDropped", {
    "failedRequests": int,
    "consoleMessages": int,
    "pageErrors": int,
})

GetScreenshotsRunIdAnswerDataItemDiagnostics = TypedDict("GetScreenshotsRunIdAnswerDataItemDiagnostics", {
    "failedRequests": list[GetScreenshotsRunIdAnswerDataItemDiagnosticsFailedRequestsItem],
    "consoleMessages": list[GetScreenshotsRunIdAnswerDataItemDiagnosticsConsoleMessagesItem],
    "pageErrors": list[GetScreenshotsRunIdAnswerDataItemDiagnosticsPageErrorsItem],
    "dropped": GetScreenshotsRunIdAnswerDataItemDiagnosticsDropped,
})

GetScreenshotsRunIdAnswerDataItemReview = TypedDict("GetScreenshotsRunIdAnswerDataItemReview", {
    "state": Literal["pending", "approved", "rejected"],
    "approvals": int,
    "required": int,
})

GetScreenshotsRunIdAnswerDataItemReviewsItemBy = TypedDict("GetScreenshotsRunIdAnswerDataItemReviewsItemBy", {
    "kind": Literal["key", "user", "service"],
    "id": str,
    "name": str,
})

GetScreenshotsRunIdAnswerDataItemReviewsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemReviewsItem", {
    "verdict": Literal["approved", "rejected", "dismissed"],
    "by": GetScreenshotsRunIdAnswerDataItemReviewsItemBy,
    "countsAs": str,
    "reason": Union[str, None],
    "noise": NotRequired[bool],
    "at": str,
    "stands": bool,
})

GetScreenshotsRunIdAnswerDataItemCarried = TypedDict("GetScreenshotsRunIdAnswerDataItemCarried", {
    "runId": str,
    "by": list[str],
    "at": str,
})

GetScreenshotsRunIdAnswerDataItemStory = TypedDict("GetScreenshotsRunIdAnswerDataItemStory", {
    "id": str,
    "title": str,
    "name": str,
    "args": Mapping[str, str],
    "url": Union[str, None],
})

GetScreenshotsRunIdAnswerDataItemUploadAttachmentsItem = TypedDict("GetScreenshotsRunIdAnswerDataItemUploadAttachmentsItem", {
    "name": str,
    "url": str,
    "kind": Literal["zip", "text", "link"],
    "bytes": Union[int, None],
})

GetScreenshotsRunIdAnswerDataItemUpload = TypedDict("GetScreenshotsRunIdAnswerDataItemUpload", {
    "testFile": NotRequired[str],
    "line": NotRequired[int],
    "titlePath": NotRequired[list[str]],
    "retry": NotRequired[int],
    "tags": NotRequired[Any],
    "url": NotRequired[str],
    "note": NotRequired[str],
    "previousNames": NotRequired[Any],
    "attachments": NotRequired[list[GetScreenshotsRunIdAnswerDataItemUploadAttachmentsItem]],
})

GetScreenshotsRunIdAnswerDataItem = TypedDict("GetScreenshotsRunIdAnswerDataItem", {
    "id": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "status": Literal["pending", "unchanged", "changed", "new", "removed", "failed"],
    "width": Union[int, None],
    "height": Union[int, None],
    "diffRatio": Union[float, None],
    "diffPixels": Union[int, None],
    "faintPixels": int,
    "minor": bool,
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
    "ignored": GetScreenshotsRunIdAnswerDataItemIgnored,
    "raised": Union[GetScreenshotsRunIdAnswerDataItemRaised, None],
    "flakeScore": float,
    "fingerprint": Union[str, None],
    "explanation": Union[GetScreenshotsRunIdAnswerDataItemExplanation, None],
    "intended": NotRequired[Union[bool, None]],
    "production": Union[GetScreenshotsRunIdAnswerDataItemProduction, None],
    "proof": Union[GetScreenshotsRunIdAnswerDataItemProof, None],
    "baseline": Union[GetScreenshotsRunIdAnswerDataItemBaseline, None],
    "images": GetScreenshotsRunIdAnswerDataItemImages,
    "stable": Union[bool, None],
    "moving": list[str],
    "attempts": int,
    "browser": Union[str, None],
    "notes": list[str],
    "steps": NotRequired[list[GetScreenshotsRunIdAnswerDataItemStepsItem]],
    "diagnostics": Union[GetScreenshotsRunIdAnswerDataItemDiagnostics, None],
    "review": Union[GetScreenshotsRunIdAnswerDataItemReview, None],
    "reviews": list[GetScreenshotsRunIdAnswerDataItemReviewsItem],
    "carried": Union[GetScreenshotsRunIdAnswerDataItemCarried, None],
    "error": Union[str, None],
    "story": NotRequired[GetScreenshotsRunIdAnswerDataItemStory],
    "upload": NotRequired[GetScreenshotsRunIdAnswerDataItemUpload],
})

GetScreenshotsRunIdAnswerSummaryStandings = TypedDict("GetScreenshotsRunIdAnswerSummaryStandings", {
    "changed": NotRequired[int],
    "new": NotRequired[int],
    "removed": NotRequired[int],
    "failed": NotRequired[int],
    "rejected": NotRequired[int],
    "pending": NotRequired[int],
    "approved": NotRequired[int],
    "carried": NotRequired[int],
    "minor": NotRequired[int],
    "unchanged": NotRequired[int],
})

GetScreenshotsRunIdAnswerSummaryMinor = TypedDict("GetScreenshotsRunIdAnswerSummaryMinor", {
    "minor": NotRequired[int],
    "approved": NotRequired[int],
    "carried": NotRequired[int],
    "rejected": NotRequired[int],
})

GetScreenshotsRunIdAnswerSummary = TypedDict("GetScreenshotsRunIdAnswerSummary", {
    "standings": GetScreenshotsRunIdAnswerSummaryStandings,
    "minor": GetScreenshotsRunIdAnswerSummaryMinor,
    "failed": int,
    "viewports": list[int],
    "environments": list[Union[str, None]],
})

GetScreenshotsRunIdAnswer = TypedDict("GetScreenshotsRunIdAnswer", {
    "data": list[GetScreenshotsRunIdAnswerDataItem],
    "nextCursor": Union[str, None],
    "summary": NotRequired[GetScreenshotsRunIdAnswerSummary],
})

GetUsageAnswerPeriod = TypedDict("GetUsageAnswerPeriod", {
    "start": str,
    "end": str,
})

GetUsageAnswerRuns = TypedDict("GetUsageAnswerRuns", {
    "used": int,
    "limit": Union[int, None],
})

GetUsageAnswerScreenshots = TypedDict("GetUsageAnswerScreenshots", {
    "used": int,
    "limit": Union[int, None],
})

GetUsageAnswerMonitors = TypedDict("GetUsageAnswerMonitors", {
    "used": int,
    "limit": Union[int, None],
})

GetUsageAnswerMembers = TypedDict("GetUsageAnswerMembers", {
    "used": int,
    "limit": Union[int, None],
})

GetUsageAnswer = TypedDict("GetUsageAnswer", {
    "plan": Literal["free", "pro", "business"],
    "period": GetUsageAnswerPeriod,
    "runs": GetUsageAnswerRuns,
    "screenshots": GetUsageAnswerScreenshots,
    "monitors": GetUsageAnswerMonitors,
    "members": GetUsageAnswerMembers,
    "retentionDays": int,
})

GetUsageHistoryAnswerDataItemPeriod = TypedDict("GetUsageHistoryAnswerDataItemPeriod", {
    "start": str,
    "end": str,
})

GetUsageHistoryAnswerDataItem = TypedDict("GetUsageHistoryAnswerDataItem", {
    "period": GetUsageHistoryAnswerDataItemPeriod,
    "runs": int,
    "screenshots": int,
})

GetUsageHistoryAnswerForecastRuns = TypedDict("GetUsageHistoryAnswerForecastRuns", {
    "used": int,
    "limitReachedAt": Union[str, None],
})

GetUsageHistoryAnswerForecast = TypedDict("GetUsageHistoryAnswerForecast", {
    "runs": Union[GetUsageHistoryAnswerForecastRuns, None],
    "screenshots": Union[GetUsageHistoryAnswerForecastRuns, None],
})

GetUsageHistoryAnswer = TypedDict("GetUsageHistoryAnswer", {
    "data": list[GetUsageHistoryAnswerDataItem],
    "forecast": GetUsageHistoryAnswerForecast,
})

GetKeysQuery = TypedDict("GetKeysQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
})

GetKeysAnswerDataItem = TypedDict("GetKeysAnswerDataItem", {
    "id": str,
    "name": str,
    "role": Literal["viewer", "reviewer", "admin"],
    "scope": Literal["team", "upload", "scim"],
    "project": Union[str, None],
    "repository": Union[str, None],
    "tail": str,
    "createdAt": str,
    "lastUsedAt": Union[str, None],
    "expiresAt": Union[str, None],
})

GetKeysAnswer = TypedDict("GetKeysAnswer", {
    "data": list[GetKeysAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostKeysBody = TypedDict("PostKeysBody", {
    "name": str,
    "role": NotRequired[Literal["viewer", "reviewer", "admin"]],
    "scope": NotRequired[Literal["team", "upload", "scim"]],
    "project": NotRequired[str],
    "expiresInDays": NotRequired[int],
    "repository": NotRequired[str],
})

PostKeysAnswer = TypedDict("PostKeysAnswer", {
    "id": str,
    "name": str,
    "role": Literal["viewer", "reviewer", "admin"],
    "scope": Literal["team", "upload", "scim"],
    "project": Union[str, None],
    "repository": Union[str, None],
    "tail": str,
    "createdAt": str,
    "lastUsedAt": Union[str, None],
    "expiresAt": Union[str, None],
    "key": str,
})

PostUploadKeysBody = TypedDict("PostUploadKeysBody", {
    "token": str,
    "project": NotRequired[str],
    "team": NotRequired[str],
})

PostUploadKeysAnswer = TypedDict("PostUploadKeysAnswer", {
    "key": str,
    "project": str,
    "expiresAt": str,
})

PostBuildsBodyScm = TypedDict("PostBuildsBodyScm", {
    "owner": str,
    "repo": str,
    "sha": str,
    "pr": NotRequired[int],
    "branch": NotRequired[str],
    "baseBranch": NotRequired[str],
    "defaultBranch": NotRequired[str],
    "baseSha": NotRequired[Union[str, None]],
    "fromFork": NotRequired[bool],
    "author": NotRequired[str],
    "message": NotRequired[str],
    "checkRunId": NotRequired[Union[int, str]],
    "missingShas": NotRequired[list[str]],
    "changedFiles": NotRequired[list[str]],
})

PostBuildsBodyIntent = TypedDict("PostBuildsBodyIntent", {
    "routes": NotRequired[list[str]],
    "selectors": NotRequired[list[str]],
    "words": NotRequired[list[str]],
})

PostBuildsBodyParallel = TypedDict("PostBuildsBodyParallel", {
    "nonce": str,
    "total": NotRequired[int],
})

PostBuildsBodyScreenshotsItemViewport = TypedDict("PostBuildsBodyScreenshotsItemViewport", {
    "width": int,
    "height": NotRequired[int],
})

PostBuildsBodyScreenshotsItemIgnoreRegionsItem = TypedDict("PostBuildsBodyScreenshotsItemIgnoreRegionsItem", {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
})

PostBuildsBodyScreenshotsItemAttachmentsItem = TypedDict("PostBuildsBodyScreenshotsItemAttachmentsItem", {
    "name": str,
    "url": NotRequired[str],
    "hash": NotRequired[str],
})

PostBuildsBodyScreenshotsItem = TypedDict("PostBuildsBodyScreenshotsItem", {
    "browser": NotRequired[str],
    "viewport": NotRequired[PostBuildsBodyScreenshotsItemViewport],
    "environment": NotRequired[str],
    "testFile": NotRequired[str],
    "line": NotRequired[int],
    "titlePath": NotRequired[list[str]],
    "retry": NotRequired[int],
    "tags": NotRequired[list[str]],
    "url": NotRequired[str],
    "note": NotRequired[str],
    "threshold": NotRequired[float],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[PostBuildsBodyScreenshotsItemIgnoreRegionsItem]],
    "previousNames": NotRequired[list[str]],
    "attachments": NotRequired[list[PostBuildsBodyScreenshotsItemAttachmentsItem]],
    "name": str,
    "hash": str,
})

PostBuildsBody = TypedDict("PostBuildsBody", {
    "project": NotRequired[str],
    "name": NotRequired[str],
    "branch": NotRequired[str],
    "baselineBranch": NotRequired[str],
    "scm": NotRequired[PostBuildsBodyScm],
    "url": NotRequired[str],
    "threshold": NotRequired[float],
    "intent": NotRequired[PostBuildsBodyIntent],
    "subset": NotRequired[bool],
    "parallel": NotRequired[PostBuildsBodyParallel],
    "shard": NotRequired[str],
    "screenshots": NotRequired[list[PostBuildsBodyScreenshotsItem]],
})

PostBuildsAnswerShards = TypedDict("PostBuildsAnswerShards", {
    "total": Union[int, None],
    "seen": int,
    "finalized": int,
})

PostBuildsAnswerUploadsItem = TypedDict("PostBuildsAnswerUploadsItem", {
    "hash": str,
    "method": Literal["PUT"],
    "url": str,
    "headers": Mapping[str, str],
    "sendKey": bool,
})

PostBuildsAnswer = TypedDict("PostBuildsAnswer", {
    "id": str,
    "status": Literal["queued", "rendering", "comparing", "completed", "failed", "canceled"],
    "project": str,
    "name": Union[str, None],
    "open": bool,
    "screenshots": int,
    "shards": PostBuildsAnswerShards,
    "uploads": list[PostBuildsAnswerUploadsItem],
    "attachments": list[PostBuildsAnswerUploadsItem],
    "error": Union[str, None],
    "links": PostRunAnswerLinks,
})

PostBuildsIdShardsBody = TypedDict("PostBuildsIdShardsBody", {
    "shard": NotRequired[str],
    "screenshots": list[PostBuildsBodyScreenshotsItem],
})

PostBuildsIdFinalizeBody = TypedDict("PostBuildsIdFinalizeBody", {
    "shard": NotRequired[str],
})

GetArchivesIdQuery = TypedDict("GetArchivesIdQuery", {
    "project": str,
})

GetArchivesIdAnswer = TypedDict("GetArchivesIdAnswer", {
    "id": str,
    "project": str,
    "files": int,
    "bytes": int,
    "createdAt": str,
})

GetRunsIdCommentsAnswerDataItemBy = TypedDict("GetRunsIdCommentsAnswerDataItemBy", {
    "kind": Literal["key", "user", "service"],
    "id": str,
    "name": str,
})

GetRunsIdCommentsAnswerDataItemMentionsItem = TypedDict("GetRunsIdCommentsAnswerDataItemMentionsItem", {
    "id": str,
    "login": str,
})

GetRunsIdCommentsAnswerDataItemResolved = TypedDict("GetRunsIdCommentsAnswerDataItemResolved", {
    "by": str,
    "at": str,
})

GetRunsIdCommentsAnswerDataItem = TypedDict("GetRunsIdCommentsAnswerDataItem", {
    "id": str,
    "runId": str,
    "threadId": str,
    "screenshotId": Union[str, None],
    "region": Union[GetScreenshotsRunIdAnswerDataItemRegionsItem, None],
    "text": str,
    "by": GetRunsIdCommentsAnswerDataItemBy,
    "countsAs": str,
    "mentions": list[GetRunsIdCommentsAnswerDataItemMentionsItem],
    "createdAt": str,
    "editedAt": Union[str, None],
    "externalUrl": Union[str, None],
    "resolved": Union[GetRunsIdCommentsAnswerDataItemResolved, None],
})

GetRunsIdCommentsAnswer = TypedDict("GetRunsIdCommentsAnswer", {
    "data": list[GetRunsIdCommentsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostRunsIdCommentsBodyRegion = TypedDict("PostRunsIdCommentsBodyRegion", {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
})

PostRunsIdCommentsBody = TypedDict("PostRunsIdCommentsBody", {
    "text": str,
    "screenshot": NotRequired[str],
    "region": NotRequired[PostRunsIdCommentsBodyRegion],
    "replyTo": NotRequired[str],
})

PatchCommentsIdBody = TypedDict("PatchCommentsIdBody", {
    "text": NotRequired[str],
    "resolved": NotRequired[bool],
})

GetInboxQuery = TypedDict("GetInboxQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "filter": NotRequired[Literal["mine", "all", "mentions"]],
    "project": NotRequired[str],
})

GetInboxAnswerDataItemReviewersItem = TypedDict("GetInboxAnswerDataItemReviewersItem", {
    "id": str,
    "login": str,
    "assignedBy": Union[str, None],
    "assignedAt": str,
})

GetInboxAnswerDataItemScreenshotsItem = TypedDict("GetInboxAnswerDataItemScreenshotsItem", {
    "id": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "status": Literal["pending", "unchanged", "changed", "new", "removed", "failed"],
    "diffRatio": Union[float, None],
    "width": Union[int, None],
    "height": Union[int, None],
    "image": Union[str, None],
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
})

GetInboxAnswerDataItemMentionsItem = TypedDict("GetInboxAnswerDataItemMentionsItem", {
    "commentId": str,
    "screenshotId": Union[str, None],
    "by": str,
    "text": str,
    "at": str,
})

GetInboxAnswerDataItemCommitLinks = TypedDict("GetInboxAnswerDataItemCommitLinks", {
    "branch": Union[str, None],
    "pullRequest": Union[str, None],
    "commit": Union[str, None],
})

GetInboxAnswerDataItemCommit = TypedDict("GetInboxAnswerDataItemCommit", {
    "message": Union[str, None],
    "author": Union[str, None],
    "links": GetInboxAnswerDataItemCommitLinks,
})

GetInboxAnswerDataItem = TypedDict("GetInboxAnswerDataItem", {
    "run": GetRunsAnswerDataItem,
    "open": int,
    "isAssigned": bool,
    "reviewers": list[GetInboxAnswerDataItemReviewersItem],
    "screenshots": list[GetInboxAnswerDataItemScreenshotsItem],
    "mentions": list[GetInboxAnswerDataItemMentionsItem],
    "superseded": list[str],
    "commit": GetInboxAnswerDataItemCommit,
})

GetInboxAnswerCounts = TypedDict("GetInboxAnswerCounts", {
    "mine": int,
    "all": int,
    "mentions": int,
})

GetInboxAnswer = TypedDict("GetInboxAnswer", {
    "data": list[GetInboxAnswerDataItem],
    "nextCursor": Union[str, None],
    "counts": GetInboxAnswerCounts,
})

GetRunsIdReviewersAnswer = TypedDict("GetRunsIdReviewersAnswer", {
    "reviewers": list[GetInboxAnswerDataItemReviewersItem],
})

PutRunsIdReviewersBody = TypedDict("PutRunsIdReviewersBody", {
    "reviewers": list[str],
})

GetProjectsProjectReviewersParams = TypedDict("GetProjectsProjectReviewersParams", {
    "project": str,
})

GetProjectsProjectReviewersAnswerRulesItem = TypedDict("GetProjectsProjectReviewersAnswerRulesItem", {
    "routes": list[str],
    "reviewers": Any,
})

GetProjectsProjectReviewersAnswer = TypedDict("GetProjectsProjectReviewersAnswer", {
    "rules": list[GetProjectsProjectReviewersAnswerRulesItem],
    "project": str,
})

PutProjectsProjectReviewersBodyRulesItem = TypedDict("PutProjectsProjectReviewersBodyRulesItem", {
    "routes": list[str],
    "reviewers": list[str],
})

PutProjectsProjectReviewersBody = TypedDict("PutProjectsProjectReviewersBody", {
    "rules": list[PutProjectsProjectReviewersBodyRulesItem],
})

GetCompareQuery = TypedDict("GetCompareQuery", {
    "base": str,
    "head": str,
    "baseEnvironment": NotRequired[str],
    "headEnvironment": NotRequired[str],
    "route": NotRequired[str],
    "viewport": NotRequired[float],
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
})

GetCompareAnswerBase = TypedDict("GetCompareAnswerBase", {
    "kind": Literal["run", "branch", "monitor", "look"],
    "text": str,
    "label": str,
    "project": str,
    "runId": Union[str, None],
    "branch": Union[str, None],
    "monitorId": Union[str, None],
    "at": Union[str, None],
    "commit": Union[str, None],
})

GetCompareAnswerProgress = TypedDict("GetCompareAnswerProgress", {
    "total": int,
    "compared": int,
})

GetCompareAnswerCounts = TypedDict("GetCompareAnswerCounts", {
    "unchanged": int,
    "minor": int,
    "changed": int,
    "added": int,
    "removed": int,
    "failed": int,
    "comparing": int,
})

GetCompareAnswerGroupsItem = TypedDict("GetCompareAnswerGroupsItem", {
    "cause": Union[str, None],
    "pages": list[str],
})

GetCompareAnswerDataItemBase = TypedDict("GetCompareAnswerDataItemBase", {
    "runId": Union[str, None],
    "screenshotId": Union[str, None],
    "environment": Union[str, None],
    "at": Union[str, None],
    "width": Union[int, None],
    "height": Union[int, None],
    "browser": Union[str, None],
})

GetCompareAnswerDataItemImages = TypedDict("GetCompareAnswerDataItemImages", {
    "current": Union[str, None],
    "baseline": Union[str, None],
    "diff": Union[str, None],
})

GetCompareAnswerDataItem = TypedDict("GetCompareAnswerDataItem", {
    "id": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "status": Literal["comparing", "unchanged", "changed", "added", "removed", "failed"],
    "minor": bool,
    "threshold": float,
    "diffRatio": Union[float, None],
    "diffPixels": Union[int, None],
    "faintPixels": int,
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
    "fingerprint": Union[str, None],
    "explanation": Union[GetScreenshotsRunIdAnswerDataItemExplanation, None],
    "base": Union[GetCompareAnswerDataItemBase, None],
    "head": Union[GetCompareAnswerDataItemBase, None],
    "images": GetCompareAnswerDataItemImages,
    "error": Union[str, None],
})

GetCompareAnswer = TypedDict("GetCompareAnswer", {
    "status": Literal["comparing", "completed"],
    "base": GetCompareAnswerBase,
    "head": GetCompareAnswerBase,
    "progress": GetCompareAnswerProgress,
    "counts": GetCompareAnswerCounts,
    "causes": list[GetRunsAnswerDataItemCausesItem],
    "groups": list[GetCompareAnswerGroupsItem],
    "data": list[GetCompareAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostBaselinesRunIdApproveBody = TypedDict("PostBaselinesRunIdApproveBody", {
    "screenshots": NotRequired[list[str]],
    "includeMinor": NotRequired[bool],
    "note": NotRequired[str],
})

PostBaselinesRunIdApproveAnswer = TypedDict("PostBaselinesRunIdApproveAnswer", {
    "runId": str,
    "approved": int,
    "pending": int,
    "rejected": int,
    "conclusion": Literal["passed", "changed", "new", "approved", "rejected"],
})

PostBaselinesRunIdRejectBody = TypedDict("PostBaselinesRunIdRejectBody", {
    "screenshots": NotRequired[list[str]],
    "reason": NotRequired[str],
    "noise": NotRequired[bool],
})

PostBaselinesRunIdRejectAnswer = TypedDict("PostBaselinesRunIdRejectAnswer", {
    "runId": str,
    "rejected": int,
    "conclusion": Literal["passed", "changed", "new", "approved", "rejected"],
})

PostBaselinesRunIdDismissBody = TypedDict("PostBaselinesRunIdDismissBody", {
    "screenshots": NotRequired[list[str]],
    "reason": str,
    "own": NotRequired[bool],
})

PostBaselinesRunIdDismissAnswer = TypedDict("PostBaselinesRunIdDismissAnswer", {
    "runId": str,
    "dismissed": int,
    "conclusion": Literal["passed", "changed", "new", "approved", "rejected"],
})

GetProjectsQuery = TypedDict("GetProjectsQuery", {
    "find": NotRequired[str],
    "monitors": NotRequired[Literal["0", "1"]],
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
})

GetProjectsAnswerDataItem = TypedDict("GetProjectsAnswerDataItem", {
    "id": str,
    "name": str,
    "defaultBranch": str,
    "createdAt": str,
    "nullReruns": bool,
    "mirrorThreads": Literal["private", "always", "never"],
    "requiredApprovals": Union[int, None],
    "allowSelfApproval": Union[bool, None],
    "retentionDays": Union[int, None],
    "linkDays": Union[int, None],
    "branches": list[str],
    "pullRequests": list[int],
})

GetProjectsAnswer = TypedDict("GetProjectsAnswer", {
    "data": list[GetProjectsAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetOverviewQuery = TypedDict("GetOverviewQuery", {
    "project": str,
    "days": NotRequired[int],
})

GetOverviewAnswerTotals = TypedDict("GetOverviewAnswerTotals", {
    "runs": int,
    "changed": int,
    "failed": int,
    "screenshots": int,
    "changedScreenshots": int,
    "medianMs": Union[float, None],
    "captures": int,
    "noisyCaptures": int,
})

GetOverviewAnswerDaysItem = TypedDict("GetOverviewAnswerDaysItem", {
    "day": str,
    "runs": int,
    "changed": int,
    "failed": int,
    "screenshots": int,
    "changedScreenshots": int,
    "medianMs": Union[float, None],
    "captures": int,
    "noisyCaptures": int,
})

GetOverviewAnswerSlowestItem = TypedDict("GetOverviewAnswerSlowestItem", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "ms": float,
    "captures": int,
})

GetOverviewAnswerFlakiestItem = TypedDict("GetOverviewAnswerFlakiestItem", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "score": float,
})

GetOverviewAnswer = TypedDict("GetOverviewAnswer", {
    "project": str,
    "totals": GetOverviewAnswerTotals,
    "days": list[GetOverviewAnswerDaysItem],
    "slowest": list[GetOverviewAnswerSlowestItem],
    "flakiest": list[GetOverviewAnswerFlakiestItem],
})

PatchProjectsIdBody = TypedDict("PatchProjectsIdBody", {
    "defaultBranch": NotRequired[str],
    "nullReruns": NotRequired[bool],
    "mirrorThreads": NotRequired[Literal["private", "always", "never"]],
    "requiredApprovals": NotRequired[Union[int, None]],
    "allowSelfApproval": NotRequired[Union[bool, None]],
    "retentionDays": NotRequired[Union[int, None]],
    "linkDays": NotRequired[Union[int, None]],
})

GetBaselinesQuery = TypedDict("GetBaselinesQuery", {
    "project": str,
    "branch": NotRequired[str],
    "pr": NotRequired[int],
    "route": NotRequired[str],
    "state": NotRequired[str],
    "environment": NotRequired[str],
    "viewport": NotRequired[float],
    "find": NotRequired[str],
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
})

GetBaselinesAnswerDataItemRestored = TypedDict("GetBaselinesAnswerDataItemRestored", {
    "by": str,
    "at": str,
})

GetBaselinesAnswerDataItem = TypedDict("GetBaselinesAnswerDataItem", {
    "id": str,
    "project": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "branch": Union[str, None],
    "pr": Union[int, None],
    "commit": Union[str, None],
    "inForce": bool,
    "removed": bool,
    "width": Union[int, None],
    "height": Union[int, None],
    "browser": Union[str, None],
    "image": Union[str, None],
    "runId": str,
    "screenshotId": str,
    "runKept": bool,
    "approvedBy": list[str],
    "approvedAt": str,
    "carriedFrom": Union[str, None],
    "restored": Union[GetBaselinesAnswerDataItemRestored, None],
})

GetBaselinesAnswer = TypedDict("GetBaselinesAnswer", {
    "data": list[GetBaselinesAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetBaselinesHistoryQuery = TypedDict("GetBaselinesHistoryQuery", {
    "project": str,
    "route": str,
    "state": NotRequired[str],
    "environment": NotRequired[str],
    "viewport": float,
    "branch": NotRequired[str],
    "pr": NotRequired[int],
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
})

GetBaselinesHistoryAnswerDataItemChangeImages = TypedDict("GetBaselinesHistoryAnswerDataItemChangeImages", {
    "current": Union[str, None],
    "baseline": Union[str, None],
    "diff": Union[str, None],
})

GetBaselinesHistoryAnswerDataItemChange = TypedDict("GetBaselinesHistoryAnswerDataItemChange", {
    "diffRatio": Union[float, None],
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
    "width": Union[int, None],
    "height": Union[int, None],
    "images": GetBaselinesHistoryAnswerDataItemChangeImages,
})

GetBaselinesHistoryAnswerDataItem = TypedDict("GetBaselinesHistoryAnswerDataItem", {
    "id": str,
    "project": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "branch": Union[str, None],
    "pr": Union[int, None],
    "commit": Union[str, None],
    "inForce": bool,
    "removed": bool,
    "width": Union[int, None],
    "height": Union[int, None],
    "browser": Union[str, None],
    "image": Union[str, None],
    "runId": str,
    "screenshotId": str,
    "runKept": bool,
    "approvedBy": list[str],
    "approvedAt": str,
    "carriedFrom": Union[str, None],
    "restored": Union[GetBaselinesAnswerDataItemRestored, None],
    "change": Union[GetBaselinesHistoryAnswerDataItemChange, None],
})

GetBaselinesHistoryAnswer = TypedDict("GetBaselinesHistoryAnswer", {
    "data": list[GetBaselinesHistoryAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetScreenshotsAnswerDataItem = TypedDict("GetScreenshotsAnswerDataItem", {
    "id": str,
    "runId": str,
    "branch": Union[str, None],
    "pr": Union[int, None],
    "commit": Union[str, None],
    "at": str,
    "status": Literal["pending", "unchanged", "changed", "new", "removed", "failed"],
    "minor": bool,
    "review": Union[Literal["pending", "approved", "rejected"], None],
    "carried": bool,
    "diffRatio": Union[float, None],
    "width": Union[int, None],
    "height": Union[int, None],
    "image": Union[str, None],
    "stable": Union[bool, None],
    "attempts": int,
    "browser": Union[str, None],
    "timings": Union[Mapping[str, int], None],
})

GetScreenshotsAnswer = TypedDict("GetScreenshotsAnswer", {
    "data": list[GetScreenshotsAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetNoiseQuery = TypedDict("GetNoiseQuery", {
    "project": str,
})

GetNoiseAnswerPagesItemHistoryItem = TypedDict("GetNoiseAnswerPagesItemHistoryItem", {
    "day": str,
    "captures": int,
    "noisy": int,
    "score": float,
})

GetNoiseAnswerPagesItem = TypedDict("GetNoiseAnswerPagesItem", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "score": float,
    "captures": int,
    "noisy": int,
    "lastAt": str,
    "history": list[GetNoiseAnswerPagesItemHistoryItem],
})

GetNoiseAnswerSuggestionsItemScreenshot = TypedDict("GetNoiseAnswerSuggestionsItemScreenshot", {
    "id": str,
    "runId": str,
    "image": str,
    "width": int,
    "height": int,
})

GetNoiseAnswerSuggestionsItem = TypedDict("GetNoiseAnswerSuggestionsItem", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "observations": int,
    "kinds": list[Literal["unstable", "retried", "nullRerun", "rejectedAsNoise"]],
    "lastAt": str,
    "screenshot": Union[GetNoiseAnswerSuggestionsItemScreenshot, None],
})

GetNoiseAnswerNullRerunsHistoryItem = TypedDict("GetNoiseAnswerNullRerunsHistoryItem", {
    "runId": str,
    "ofRunId": str,
    "at": str,
    "compared": Union[int, None],
    "falseAlarms": Union[int, None],
    "skipped": Union[Literal["plan_limit_exceeded", "expired", "deleted"], None],
    "kept": bool,
})

GetNoiseAnswerNullReruns = TypedDict("GetNoiseAnswerNullReruns", {
    "enabled": bool,
    "compared": int,
    "falseAlarms": int,
    "rate": Union[float, None],
    "history": list[GetNoiseAnswerNullRerunsHistoryItem],
})

GetNoiseAnswer = TypedDict("GetNoiseAnswer", {
    "project": str,
    "projectId": str,
    "pages": list[GetNoiseAnswerPagesItem],
    "suggestions": list[GetNoiseAnswerSuggestionsItem],
    "nullReruns": GetNoiseAnswerNullReruns,
})

PostNoiseDismissBody = TypedDict("PostNoiseDismissBody", {
    "project": str,
    "route": str,
    "state": NotRequired[Union[str, None]],
    "environment": NotRequired[Union[str, None]],
    "viewport": int,
    "x": int,
    "y": int,
    "width": int,
    "height": int,
})

GetIgnoreRegionsQuery = TypedDict("GetIgnoreRegionsQuery", {
    "project": str,
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "state": NotRequired[Literal["active", "ended"]],
})

GetIgnoreRegionsAnswerDataItem = TypedDict("GetIgnoreRegionsAnswerDataItem", {
    "id": str,
    "project": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "threshold": Union[float, None],
    "appliesTo": Literal["page", "widths", "project"],
    "reason": Union[str, None],
    "acceptedBy": str,
    "acceptedAt": str,
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
    "expiresAt": Union[str, None],
    "isActive": bool,
})

GetIgnoreRegionsAnswer = TypedDict("GetIgnoreRegionsAnswer", {
    "data": list[GetIgnoreRegionsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostIgnoreRegionsBody = TypedDict("PostIgnoreRegionsBody", {
    "project": str,
    "route": str,
    "state": NotRequired[Union[str, None]],
    "environment": NotRequired[Union[str, None]],
    "viewport": int,
    "x": NotRequired[int],
    "y": NotRequired[int],
    "width": NotRequired[int],
    "height": NotRequired[int],
    "threshold": NotRequired[float],
    "appliesTo": NotRequired[Literal["page", "widths", "project"]],
    "reason": NotRequired[str],
    "expiresAt": NotRequired[str],
    "runId": NotRequired[str],
})

PostIgnoreRegionsAnswerRecompared = TypedDict("PostIgnoreRegionsAnswerRecompared", {
    "runId": str,
    "screenshots": int,
    "unchanged": int,
    "conclusion": Literal["passed", "changed", "new", "approved", "rejected"],
})

PostIgnoreRegionsAnswer = TypedDict("PostIgnoreRegionsAnswer", {
    "id": str,
    "project": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "threshold": Union[float, None],
    "appliesTo": Literal["page", "widths", "project"],
    "reason": Union[str, None],
    "acceptedBy": str,
    "acceptedAt": str,
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
    "expiresAt": Union[str, None],
    "isActive": bool,
    "recompared": Union[PostIgnoreRegionsAnswerRecompared, None],
})

PostIgnoreRegionsPreviewBody = TypedDict("PostIgnoreRegionsPreviewBody", {
    "project": str,
    "route": str,
    "state": NotRequired[Union[str, None]],
    "environment": NotRequired[Union[str, None]],
    "viewport": int,
    "x": NotRequired[int],
    "y": NotRequired[int],
    "width": NotRequired[int],
    "height": NotRequired[int],
    "threshold": NotRequired[float],
    "appliesTo": NotRequired[Literal["page", "widths", "project"]],
})

PostIgnoreRegionsPreviewAnswerDataItem = TypedDict("PostIgnoreRegionsPreviewAnswerDataItem", {
    "id": str,
    "runId": str,
    "at": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "image": str,
    "imageWidth": int,
    "imageHeight": int,
    "outcome": Literal["unchanged", "changed"],
    "pixels": int,
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
    "review": Union[Literal["approved", "rejected", "noise"], None],
})

PostIgnoreRegionsPreviewAnswer = TypedDict("PostIgnoreRegionsPreviewAnswer", {
    "runs": int,
    "compared": int,
    "isComplete": bool,
    "hidden": int,
    "reduced": int,
    "regions": int,
    "pixels": int,
    "approved": int,
    "data": list[PostIgnoreRegionsPreviewAnswerDataItem],
})

GetIgnoreRegionsConfigurationAnswerLeftItem = TypedDict("GetIgnoreRegionsConfigurationAnswerLeftItem", {
    "id": str,
    "reason": str,
})

GetIgnoreRegionsConfigurationAnswer = TypedDict("GetIgnoreRegionsConfigurationAnswer", {
    "text": str,
    "rules": int,
    "left": list[GetIgnoreRegionsConfigurationAnswerLeftItem],
})

PatchIgnoreRegionsIdBody = TypedDict("PatchIgnoreRegionsIdBody", {
    "appliesTo": NotRequired[Literal["page", "widths", "project"]],
    "threshold": NotRequired[float],
    "reason": NotRequired[Union[str, None]],
    "expiresAt": NotRequired[Union[str, None]],
})

DeleteIgnoreRegionsIdQuery = TypedDict("DeleteIgnoreRegionsIdQuery", {
    "runId": NotRequired[str],
})

GetProjectsProjectConfigurationAnswerConfigurationNetworkItem = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationNetworkItem", {
    "url": str,
    "action": Literal["fulfil"],
    "status": int,
    "contentType": NotRequired[str],
    "body": NotRequired[str],
    "file": NotRequired[str],
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2 = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2", {
    "url": str,
    "action": Literal["har"],
    "file": str,
    "notFound": Literal["abort", "continue"],
    "methods": NotRequired[list[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]]],
    "resourceTypes": NotRequired[list[Literal["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", "other"]]],
})

GetProjectsProjectConfigurationAnswerConfigurationStepsItemFilesItem = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationStepsItemFilesItem", {
    "name": str,
    "contentType": str,
    "base64": str,
})

GetProjectsProjectConfigurationAnswerConfigurationStepsItem = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationStepsItem", {
    "action": Literal["upload"],
    "selector": str,
    "files": list[GetProjectsProjectConfigurationAnswerConfigurationStepsItemFilesItem],
    "timeoutMs": NotRequired[int],
})

GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element", {
    "selector": str,
    "all": bool,
})

GetProjectsProjectConfigurationAnswerConfigurationStepsItem2 = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationStepsItem2", {
    "action": Literal["screenshot"],
    "name": NotRequired[str],
    "element": NotRequired[Union[str, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "timeoutMs": NotRequired[int],
})

GetProjectsProjectConfigurationAnswerConfigurationEnvironmentsEntry = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationEnvironmentsEntry", {
    "browser": NotRequired[Literal["chromium", "firefox", "webkit"]],
    "device": NotRequired[str],
    "viewports": NotRequired[Any],
    "deviceScaleFactor": NotRequired[float],
    "isMobile": NotRequired[bool],
    "hasTouch": NotRequired[bool],
    "userAgent": NotRequired[str],
    "colorScheme": NotRequired[Literal["light", "dark"]],
    "forcedColors": NotRequired[Literal["none", "active"]],
    "reducedMotion": NotRequired[Literal["reduce", "no-preference"]],
    "contrast": NotRequired[Literal["no-preference", "more"]],
    "media": NotRequired[Literal["screen", "print"]],
    "locale": NotRequired[str],
    "timezone": NotRequired[str],
    "geolocation": NotRequired[PostRunBodyOptionsEnvironmentsEntryGeolocation],
    "clock": NotRequired[str],
    "offline": NotRequired[bool],
    "javaScript": NotRequired[bool],
})

GetProjectsProjectConfigurationAnswerConfigurationSessionsEntry = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationSessionsEntry", {
    "url": NotRequired[str],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "expect": NotRequired[PostRunBodyOptionsSessionsEntryExpect],
    "cookies": NotRequired[list[PostRunBodyOptionsSessionsEntryCookiesItem]],
    "storageState": NotRequired[str],
    "basicAuth": NotRequired[PostRunBodyOptionsSessionsEntryBasicAuth],
    "clientCertificates": NotRequired[list[PostRunBodyOptionsSessionsEntryClientCertificatesItem]],
})

GetProjectsProjectConfigurationAnswerConfigurationPerRouteEntry = TypedDict("GetProjectsProjectConfigurationAnswerConfigurationPerRouteEntry", {
    "viewports": NotRequired[Any],
    "threshold": NotRequired[float],
    "environments": NotRequired[list[str]],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
})

GetProjectsProjectConfigurationAnswerConfiguration = TypedDict("GetProjectsProjectConfigurationAnswerConfiguration", {
    "routes": NotRequired[Any],
    "viewports": NotRequired[Any],
    "threshold": NotRequired[float],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, GetProjectsProjectConfigurationAnswerConfigurationEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, GetProjectsProjectConfigurationAnswerConfigurationSessionsEntry]],
    "allowHosts": NotRequired[list[str]],
    "perRoute": NotRequired[Mapping[str, GetProjectsProjectConfigurationAnswerConfigurationPerRouteEntry]],
})

GetProjectsProjectConfigurationAnswer = TypedDict("GetProjectsProjectConfigurationAnswer", {
    "project": str,
    "version": int,
    "configuration": GetProjectsProjectConfigurationAnswerConfiguration,
    "missingSecrets": list[str],
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
})

PutProjectsProjectConfigurationBodyConfiguration = TypedDict("PutProjectsProjectConfigurationBodyConfiguration", {
    "routes": NotRequired[list[str]],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "threshold": NotRequired[float],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, PostRunBodyOptionsEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, PostRunBodyOptionsSessionsEntry]],
    "allowHosts": NotRequired[list[str]],
    "perRoute": NotRequired[Mapping[str, PostRunBodyOptionsPerRouteEntry]],
})

PutProjectsProjectConfigurationBody = TypedDict("PutProjectsProjectConfigurationBody", {
    "version": int,
    "configuration": PutProjectsProjectConfigurationBodyConfiguration,
})

PostProjectsProjectTrialsBodyConfiguration = TypedDict("PostProjectsProjectTrialsBodyConfiguration", {
    "routes": NotRequired[list[str]],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "threshold": NotRequired[float],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, PostRunBodyOptionsEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, PostRunBodyOptionsSessionsEntry]],
    "allowHosts": NotRequired[list[str]],
    "perRoute": NotRequired[Mapping[str, PostRunBodyOptionsPerRouteEntry]],
})

PostProjectsProjectTrialsBody = TypedDict("PostProjectsProjectTrialsBody", {
    "url": str,
    "route": NotRequired[str],
    "environment": NotRequired[Union[str, None]],
    "viewport": NotRequired[int],
    "configuration": NotRequired[PostProjectsProjectTrialsBodyConfiguration],
})

PostProjectsProjectTrialsAnswer = TypedDict("PostProjectsProjectTrialsAnswer", {
    "id": str,
    "status": Literal["queued", "rendering", "comparing", "completed", "failed", "canceled"],
    "links": PostRunAnswerLinks,
})

GetProjectsProjectSecretsAnswerDataItem = TypedDict("GetProjectsProjectSecretsAnswerDataItem", {
    "name": str,
    "changedBy": str,
    "changedAt": str,
})

GetProjectsProjectSecretsAnswer = TypedDict("GetProjectsProjectSecretsAnswer", {
    "data": list[GetProjectsProjectSecretsAnswerDataItem],
})

PutProjectsProjectSecretsNameParams = TypedDict("PutProjectsProjectSecretsNameParams", {
    "project": str,
    "name": str,
})

PutProjectsProjectSecretsNameBody = TypedDict("PutProjectsProjectSecretsNameBody", {
    "value": str,
})

GetTeamsIdSignInAnswerGroupRolesItem = TypedDict("GetTeamsIdSignInAnswerGroupRolesItem", {
    "group": str,
    "role": Literal["viewer", "reviewer", "admin"],
})

GetTeamsIdSignInAnswerProvider = TypedDict("GetTeamsIdSignInAnswerProvider", {
    "name": str,
    "issuer": str,
    "clientId": str,
    "scopes": str,
    "groupsClaim": str,
    "id": str,
    "own": bool,
    "signInUrl": str,
    "redirectUrl": str,
    "backChannelLogoutUrl": str,
})

GetTeamsIdSignInAnswer = TypedDict("GetTeamsIdSignInAnswer", {
    "defaultRole": Union[Literal["viewer", "reviewer", "admin"], None],
    "groupRoles": list[GetTeamsIdSignInAnswerGroupRolesItem],
    "enforced": bool,
    "provider": Union[GetTeamsIdSignInAnswerProvider, None],
    "scimUrl": str,
    "ownRedirectUrl": str,
})

PutTeamsIdSignInBody = TypedDict("PutTeamsIdSignInBody", {
    "defaultRole": Union[Literal["viewer", "reviewer", "admin"], None],
    "groupRoles": list[GetTeamsIdSignInAnswerGroupRolesItem],
    "enforced": bool,
})

PutTeamsIdProviderBody = TypedDict("PutTeamsIdProviderBody", {
    "name": str,
    "issuer": str,
    "clientId": str,
    "scopes": NotRequired[str],
    "groupsClaim": NotRequired[str],
    "clientSecret": NotRequired[str],
})

GetAccountNoticesAnswer = TypedDict("GetAccountNoticesAnswer", {
    "reviews": Literal["assigned", "all", "none"],
    "mentions": bool,
    "decisions": bool,
    "monitors": bool,
    "email": Union[str, None],
})

PatchAccountNoticesBody = TypedDict("PatchAccountNoticesBody", {
    "reviews": NotRequired[Literal["assigned", "all", "none"]],
    "mentions": NotRequired[bool],
    "decisions": NotRequired[bool],
    "monitors": NotRequired[bool],
})

GetTeamsAnswerDataItem = TypedDict("GetTeamsAnswerDataItem", {
    "requiredApprovals": int,
    "allowSelfApproval": bool,
    "linkDays": int,
    "publicLinks": bool,
    "id": str,
    "name": str,
    "role": Literal["viewer", "reviewer", "admin"],
    "readOnlyBecause": Union[str, None],
    "createdAt": str,
    "deletesAt": Union[str, None],
})

GetTeamsAnswer = TypedDict("GetTeamsAnswer", {
    "data": list[GetTeamsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostTeamsBodyAddItem = TypedDict("PostTeamsBodyAddItem", {
    "login": NotRequired[str],
    "email": NotRequired[str],
    "role": Literal["viewer", "reviewer", "admin"],
})

PostTeamsBody = TypedDict("PostTeamsBody", {
    "name": NotRequired[str],
    "teamId": NotRequired[str],
    "add": NotRequired[list[PostTeamsBodyAddItem]],
    "remove": NotRequired[list[str]],
})

PostTeamsAnswerChangedItem = TypedDict("PostTeamsAnswerChangedItem", {
    "id": str,
    "login": Union[str, None],
    "name": Union[str, None],
    "role": Literal["viewer", "reviewer", "admin"],
    "managedBy": Union[Literal["provider", "scim"], None],
    "readOnlyBecause": Union[str, None],
    "joinedAt": str,
})

PostTeamsAnswerInvitedItem = TypedDict("PostTeamsAnswerInvitedItem", {
    "id": str,
    "login": Union[str, None],
    "email": Union[str, None],
    "role": Literal["viewer", "reviewer", "admin"],
    "invitedBy": str,
    "createdAt": str,
    "expiresAt": str,
})

PostTeamsAnswer = TypedDict("PostTeamsAnswer", {
    "teamId": str,
    "changed": list[PostTeamsAnswerChangedItem],
    "invited": list[PostTeamsAnswerInvitedItem],
    "removed": list[str],
})

PostTeamsAnswer2 = TypedDict("PostTeamsAnswer2", {
    "requiredApprovals": int,
    "allowSelfApproval": bool,
    "linkDays": int,
    "publicLinks": bool,
    "id": str,
    "name": str,
    "role": Literal["viewer", "reviewer", "admin"],
    "readOnlyBecause": Union[str, None],
    "createdAt": str,
    "deletesAt": Union[str, None],
    "key": NotRequired[str],
})

PatchTeamsIdBody = TypedDict("PatchTeamsIdBody", {
    "name": NotRequired[str],
    "requiredApprovals": NotRequired[int],
    "allowSelfApproval": NotRequired[bool],
    "linkDays": NotRequired[int],
    "publicLinks": NotRequired[bool],
})

GetTeamsIdMembersAnswer = TypedDict("GetTeamsIdMembersAnswer", {
    "data": list[PostTeamsAnswerChangedItem],
    "nextCursor": Union[str, None],
})

DeleteTeamsIdMembersMemberSessionsParams = TypedDict("DeleteTeamsIdMembersMemberSessionsParams", {
    "id": str,
    "member": str,
})

GetTeamsIdInvitationsAnswer = TypedDict("GetTeamsIdInvitationsAnswer", {
    "data": list[PostTeamsAnswerInvitedItem],
    "nextCursor": Union[str, None],
})

DeleteTeamsIdInvitationsInvitationParams = TypedDict("DeleteTeamsIdInvitationsInvitationParams", {
    "id": str,
    "invitation": str,
})

GetTeamsIdActivityQuery = TypedDict("GetTeamsIdActivityQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "type": NotRequired[Literal["team.created", "team.renamed", "team.settings", "team.deleted", "team.restored", "member.joined", "member.changed", "member.removed", "member.left", "invitation.made", "invitation.revoked", "key.created", "key.lowered", "key.revoked", "session.opened", "session.refused", "session.ended", "sign_in.changed", "provider.changed", "provider.deleted", "scim.created", "scim.activated", "scim.deactivated", "scim.deleted", "scim.group_changed", "scim.group_deleted", "run.approved", "run.rejected", "run.dismissed", "run.assigned", "run.canceled", "run.rerun", "run.links_revoked", "proof.started", "baseline.restored", "project.changed", "install.changed", "region.accepted", "region.changed", "region.dismissed", "region.removed", "configuration.changed", "secret.changed", "secret.deleted", "monitor.created", "monitor.changed", "monitor.deleted", "monitor.snoozed", "monitor.unsnoozed", "monitor.unsubscribed", "status_page.changed", "status_page.deleted", "maintenance.created", "maintenance.ended", "incident.acknowledged", "incident.assigned", "incident.resolved", "webhook.created", "webhook.changed", "webhook.rotated", "webhook.paused", "webhook.deleted", "connection.created", "connection.changed", "connection.deleted", "plan.changed", "payment.failed", "usage.noticed"]],
    "actor": NotRequired[str],
    "from": NotRequired[str],
    "to": NotRequired[str],
})

GetTeamsIdActivityAnswerDataItemActor = TypedDict("GetTeamsIdActivityAnswerDataItemActor", {
    "kind": Literal["key", "user", "service"],
    "id": str,
    "name": str,
})

GetTeamsIdActivityAnswerDataItem = TypedDict("GetTeamsIdActivityAnswerDataItem", {
    "id": str,
    "type": Literal["team.created", "team.renamed", "team.settings", "team.deleted", "team.restored", "member.joined", "member.changed", "member.removed", "member.left", "invitation.made", "invitation.revoked", "key.created", "key.lowered", "key.revoked", "session.opened", "session.refused", "session.ended", "sign_in.changed", "provider.changed", "provider.deleted", "scim.created", "scim.activated", "scim.deactivated", "scim.deleted", "scim.group_changed", "scim.group_deleted", "run.approved", "run.rejected", "run.dismissed", "run.assigned", "run.canceled", "run.rerun", "run.links_revoked", "proof.started", "baseline.restored", "project.changed", "install.changed", "region.accepted", "region.changed", "region.dismissed", "region.removed", "configuration.changed", "secret.changed", "secret.deleted", "monitor.created", "monitor.changed", "monitor.deleted", "monitor.snoozed", "monitor.unsnoozed", "monitor.unsubscribed", "status_page.changed", "status_page.deleted", "maintenance.created", "maintenance.ended", "incident.acknowledged", "incident.assigned", "incident.resolved", "webhook.created", "webhook.changed", "webhook.rotated", "webhook.paused", "webhook.deleted", "connection.created", "connection.changed", "connection.deleted", "plan.changed", "payment.failed", "usage.noticed"],
    "actor": GetTeamsIdActivityAnswerDataItemActor,
    "target": Union[str, None],
    "details": Mapping[str, Union[str, float]],
    "at": str,
})

GetTeamsIdActivityAnswer = TypedDict("GetTeamsIdActivityAnswer", {
    "data": list[GetTeamsIdActivityAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostTeamsIdExportAnswerProgress = TypedDict("PostTeamsIdExportAnswerProgress", {
    "done": int,
    "total": Union[int, None],
})

PostTeamsIdExportAnswerCountsEntry = TypedDict("PostTeamsIdExportAnswerCountsEntry", {
    "rows": int,
    "new": NotRequired[int],
})

PostTeamsIdExportAnswerLeftOutItem = TypedDict("PostTeamsIdExportAnswerLeftOutItem", {
    "kind": Literal["secret", "api_key", "provider", "channels", "credentials", "webhook", "chat", "page_password"],
    "name": str,
})

PostTeamsIdExportAnswerLinks = TypedDict("PostTeamsIdExportAnswerLinks", {
    "self": str,
    "file": Union[str, None],
})

PostTeamsIdExportAnswer = TypedDict("PostTeamsIdExportAnswer", {
    "id": str,
    "status": Literal["receiving", "running", "completed", "failed"],
    "progress": PostTeamsIdExportAnswerProgress,
    "counts": Mapping[str, PostTeamsIdExportAnswerCountsEntry],
    "leftOut": list[PostTeamsIdExportAnswerLeftOutItem],
    "error": Union[str, None],
    "createdAt": str,
    "endedAt": Union[str, None],
    "files": int,
    "expiresAt": Union[str, None],
    "links": PostTeamsIdExportAnswerLinks,
})

GetTeamsIdImportAnswerProjectsItem = TypedDict("GetTeamsIdImportAnswerProjectsItem", {
    "name": str,
    "importedAs": Union[str, None],
})

GetTeamsIdImportAnswerLinks = TypedDict("GetTeamsIdImportAnswerLinks", {
    "self": str,
})

GetTeamsIdImportAnswer = TypedDict("GetTeamsIdImportAnswer", {
    "id": str,
    "status": Literal["receiving", "running", "completed", "failed"],
    "progress": PostTeamsIdExportAnswerProgress,
    "counts": Mapping[str, PostTeamsIdExportAnswerCountsEntry],
    "leftOut": list[PostTeamsIdExportAnswerLeftOutItem],
    "error": Union[str, None],
    "createdAt": str,
    "endedAt": Union[str, None],
    "projects": list[GetTeamsIdImportAnswerProjectsItem],
    "receivedBytes": Union[int, None],
    "receivedManifest": Union[str, None],
    "notes": list[str],
    "links": GetTeamsIdImportAnswerLinks,
})

GetAdminCodeHostAnswerApp = TypedDict("GetAdminCodeHostAnswerApp", {
    "name": str,
    "url": str,
})

GetAdminCodeHostAnswerMissingPermissionsItem = TypedDict("GetAdminCodeHostAnswerMissingPermissionsItem", {
    "name": str,
    "label": str,
    "access": Literal["read", "write"],
    "purpose": str,
    "isOptional": bool,
})

GetAdminCodeHostAnswerMissingEventsItem = TypedDict("GetAdminCodeHostAnswerMissingEventsItem", {
    "name": str,
    "label": str,
    "isOptional": bool,
})

GetAdminCodeHostAnswerMissing = TypedDict("GetAdminCodeHostAnswerMissing", {
    "permissions": list[GetAdminCodeHostAnswerMissingPermissionsItem],
    "events": list[GetAdminCodeHostAnswerMissingEventsItem],
})

GetAdminCodeHostAnswer = TypedDict("GetAdminCodeHostAnswer", {
    "state": Literal["not_configured", "unchecked", "checked", "unreachable", "refused"],
    "app": Union[GetAdminCodeHostAnswerApp, None],
    "missing": GetAdminCodeHostAnswerMissing,
    "error": Union[str, None],
    "checkedAt": Union[str, None],
    "webhookUrl": str,
})

PostAdminCodeHostAppBody = TypedDict("PostAdminCodeHostAppBody", {
    "organization": NotRequired[str],
})

PostAdminCodeHostAppAnswer = TypedDict("PostAdminCodeHostAppAnswer", {
    "url": str,
})

PostAdminCodeHostAppSettingsBody = TypedDict("PostAdminCodeHostAppSettingsBody", {
    "code": str,
    "state": str,
})

PostAdminCodeHostAppSettingsAnswer = TypedDict("PostAdminCodeHostAppSettingsAnswer", {
    "name": str,
    "url": str,
    "installUrl": str,
    "variables": Mapping[str, str],
})

GetConnectionsAnswerDataItem = TypedDict("GetConnectionsAnswerDataItem", {
    "id": str,
    "host": Literal["gitlab", "gitea", "bitbucket"],
    "url": str,
    "repository": str,
    "project": str,
    "state": Literal["connected", "refused"],
    "error": Union[str, None],
    "tokenExpiresAt": Union[str, None],
    "rotatesToken": bool,
    "webhookUrl": str,
    "hasWebhook": bool,
    "lastEventAt": Union[str, None],
    "createdBy": str,
    "createdAt": str,
})

GetConnectionsAnswer = TypedDict("GetConnectionsAnswer", {
    "data": list[GetConnectionsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostConnectionsBody = TypedDict("PostConnectionsBody", {
    "host": Literal["gitlab", "gitea", "bitbucket"],
    "url": NotRequired[str],
    "repository": str,
    "project": NotRequired[str],
    "token": str,
    "rotatesToken": NotRequired[bool],
    "bootstrap": NotRequired[bool],
})

PostConnectionsAnswer = TypedDict("PostConnectionsAnswer", {
    "id": str,
    "host": Literal["gitlab", "gitea", "bitbucket"],
    "url": str,
    "repository": str,
    "project": str,
    "state": Literal["connected", "refused"],
    "error": Union[str, None],
    "tokenExpiresAt": Union[str, None],
    "rotatesToken": bool,
    "webhookUrl": str,
    "hasWebhook": bool,
    "lastEventAt": Union[str, None],
    "createdBy": str,
    "createdAt": str,
    "webhookSecret": str,
})

PatchConnectionsIdBody = TypedDict("PatchConnectionsIdBody", {
    "project": NotRequired[str],
    "token": NotRequired[str],
    "rotatesToken": NotRequired[bool],
})

PostMonitorsBodyAlertsIncidents = TypedDict("PostMonitorsBodyAlertsIncidents", {
    "tool": Literal["opsgenie", "incident-io", "alertmanager"],
    "url": str,
    "key": str,
})

PostMonitorsBodyAlertsWebhook = TypedDict("PostMonitorsBodyAlertsWebhook", {
    "url": str,
    "secret": str,
})

PostMonitorsBodyAlerts = TypedDict("PostMonitorsBodyAlerts", {
    "slack": NotRequired[str],
    "email": NotRequired[list[str]],
    "pagerduty": NotRequired[str],
    "incidents": NotRequired[PostMonitorsBodyAlertsIncidents],
    "webhook": NotRequired[PostMonitorsBodyAlertsWebhook],
})

PostMonitorsBodyHttp = TypedDict("PostMonitorsBodyHttp", {
    "maxResponseMs": NotRequired[Union[int, None]],
    "requiredText": NotRequired[Union[str, None]],
    "regions": NotRequired[list[str]],
    "agree": NotRequired[int],
})

PostMonitorsBodyOptionsPerRouteEntry = TypedDict("PostMonitorsBodyOptionsPerRouteEntry", {
    "environments": NotRequired[list[str]],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
})

PostMonitorsBodyOptions = TypedDict("PostMonitorsBodyOptions", {
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[Mapping[str, str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, PostRunBodyOptionsStepsItem14Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, PostRunBodyOptionsEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, PostRunBodyOptionsSessionsEntry]],
    "perRoute": NotRequired[Mapping[str, PostMonitorsBodyOptionsPerRouteEntry]],
})

PostMonitorsBody = TypedDict("PostMonitorsBody", {
    "name": str,
    "url": str,
    "routes": NotRequired[list[str]],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "intervalMinutes": NotRequired[int],
    "alertThreshold": NotRequired[float],
    "alerts": NotRequired[PostMonitorsBodyAlerts],
    "regions": NotRequired[list[str]],
    "agree": NotRequired[int],
    "http": NotRequired[Union[PostMonitorsBodyHttp, None]],
    "paused": NotRequired[bool],
    "tags": NotRequired[list[str]],
    "options": NotRequired[PostMonitorsBodyOptions],
})

PostMonitorsAnswerOptionsSessionsEntryStepsItem = TypedDict("PostMonitorsAnswerOptionsSessionsEntryStepsItem", {
    "action": Literal["fill"],
    "selector": str,
    "value": NotRequired[str],
    "timeoutMs": NotRequired[int],
})

PostMonitorsAnswerOptionsSessionsEntryCookiesItem = TypedDict("PostMonitorsAnswerOptionsSessionsEntryCookiesItem", {
    "name": str,
    "value": NotRequired[str],
    "domain": NotRequired[str],
    "path": NotRequired[str],
})

PostMonitorsAnswerOptionsSessionsEntryBasicAuth = TypedDict("PostMonitorsAnswerOptionsSessionsEntryBasicAuth", {
    "username": str,
    "password": NotRequired[str],
})

PostMonitorsAnswerOptionsSessionsEntryClientCertificatesItem = TypedDict("PostMonitorsAnswerOptionsSessionsEntryClientCertificatesItem", {
    "origin": NotRequired[str],
    "cert": NotRequired[str],
    "key": NotRequired[str],
    "passphrase": NotRequired[str],
    "certPath": NotRequired[str],
    "keyPath": NotRequired[str],
})

PostMonitorsAnswerOptionsSessionsEntry = TypedDict("PostMonitorsAnswerOptionsSessionsEntry", {
    "url": NotRequired[str],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostMonitorsAnswerOptionsSessionsEntryStepsItem, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "expect": NotRequired[PostRunBodyOptionsSessionsEntryExpect],
    "cookies": NotRequired[list[PostMonitorsAnswerOptionsSessionsEntryCookiesItem]],
    "storageState": NotRequired[str],
    "basicAuth": NotRequired[PostMonitorsAnswerOptionsSessionsEntryBasicAuth],
    "clientCertificates": NotRequired[list[PostMonitorsAnswerOptionsSessionsEntryClientCertificatesItem]],
})

PostMonitorsAnswerOptionsPerRouteEntry = TypedDict("PostMonitorsAnswerOptionsPerRouteEntry", {
    "environments": NotRequired[list[str]],
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[list[str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
})

PostMonitorsAnswerOptions = TypedDict("PostMonitorsAnswerOptions", {
    "colorThreshold": NotRequired[float],
    "ignoreRegions": NotRequired[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]]],
    "masks": NotRequired[list[str]],
    "hide": NotRequired[list[str]],
    "waitForSelector": NotRequired[str],
    "headers": NotRequired[list[str]],
    "network": NotRequired[list[Union[PostRunBodyOptionsNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem, GetProjectsProjectConfigurationAnswerConfigurationNetworkItem2, PostRunBodyOptionsNetworkItem4]]],
    "clock": NotRequired[str],
    "random": NotRequired[Literal["seeded", "real"]],
    "steps": NotRequired[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, GetProjectsProjectConfigurationAnswerConfigurationStepsItem, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2]]],
    "session": NotRequired[str],
    "element": NotRequired[Union[str, GetProjectsProjectConfigurationAnswerConfigurationStepsItem2Element]],
    "padding": NotRequired[int],
    "fullPage": NotRequired[bool],
    "maxHeight": NotRequired[int],
    "environments": NotRequired[Mapping[str, GetProjectsProjectConfigurationAnswerConfigurationEnvironmentsEntry]],
    "defaultEnvironment": NotRequired[bool],
    "sessions": NotRequired[Mapping[str, PostMonitorsAnswerOptionsSessionsEntry]],
    "perRoute": NotRequired[Mapping[str, PostMonitorsAnswerOptionsPerRouteEntry]],
})

PostMonitorsAnswerAlertsSlack = TypedDict("PostMonitorsAnswerAlertsSlack", {
    "tail": str,
})

PostMonitorsAnswerAlertsIncidents = TypedDict("PostMonitorsAnswerAlertsIncidents", {
    "tail": str,
    "tool": Literal["opsgenie", "incident-io", "alertmanager"],
    "host": str,
})

PostMonitorsAnswerAlertsWebhook = TypedDict("PostMonitorsAnswerAlertsWebhook", {
    "tail": str,
    "host": str,
})

PostMonitorsAnswerAlerts = TypedDict("PostMonitorsAnswerAlerts", {
    "slack": Union[PostMonitorsAnswerAlertsSlack, None],
    "email": list[str],
    "pagerduty": Union[PostMonitorsAnswerAlertsSlack, None],
    "incidents": Union[PostMonitorsAnswerAlertsIncidents, None],
    "webhook": Union[PostMonitorsAnswerAlertsWebhook, None],
})

PostMonitorsAnswerCurrentCheckRegionsItem = TypedDict("PostMonitorsAnswerCurrentCheckRegionsItem", {
    "region": str,
    "outcome": Literal["ok", "failing", "no_node"],
    "changed": int,
    "down": int,
    "failed": int,
})

PostMonitorsAnswerCurrentCheck = TypedDict("PostMonitorsAnswerCurrentCheck", {
    "id": str,
    "runId": str,
    "kind": Literal["scheduled", "manual"],
    "outcome": Union[Literal["established", "ok", "changed", "down", "failed"], None],
    "error": Union[str, None],
    "maintenance": bool,
    "attempts": int,
    "startedAt": str,
    "endedAt": Union[str, None],
    "report": str,
    "regions": list[PostMonitorsAnswerCurrentCheckRegionsItem],
    "agree": int,
    "faintPixels": int,
})

PostMonitorsAnswerRecentChecksItem = TypedDict("PostMonitorsAnswerRecentChecksItem", {
    "id": str,
    "runId": str,
    "outcome": Literal["established", "ok", "changed", "down", "failed"],
    "startedAt": str,
    "ratio": Union[float, None],
})

PostMonitorsAnswerAvailabilityDay = TypedDict("PostMonitorsAnswerAvailabilityDay", {
    "uptime": Union[float, None],
    "checks": int,
    "responseMs": Union[int, None],
    "slowestMs": Union[int, None],
})

PostMonitorsAnswerAvailability = TypedDict("PostMonitorsAnswerAvailability", {
    "day": PostMonitorsAnswerAvailabilityDay,
    "week": PostMonitorsAnswerAvailabilityDay,
    "month": PostMonitorsAnswerAvailabilityDay,
    "quarter": PostMonitorsAnswerAvailabilityDay,
})

PostMonitorsAnswerMaintenance = TypedDict("PostMonitorsAnswerMaintenance", {
    "title": str,
    "mode": Literal["pause", "quiet"],
    "until": str,
})

PostMonitorsAnswerCertificate = TypedDict("PostMonitorsAnswerCertificate", {
    "expiresAt": Union[str, None],
    "daysLeft": Union[int, None],
    "issuer": Union[str, None],
    "error": Union[str, None],
    "checkedAt": str,
})

PostMonitorsAnswerHttp = TypedDict("PostMonitorsAnswerHttp", {
    "maxResponseMs": Union[int, None],
    "requiredText": Union[str, None],
    "regions": Any,
    "agree": int,
})

PostMonitorsAnswerHttpCheckRegionsItemPagesItem = TypedDict("PostMonitorsAnswerHttpCheckRegionsItemPagesItem", {
    "route": str,
    "status": Union[int, None],
    "ms": Union[int, None],
    "problem": Union[str, None],
})

PostMonitorsAnswerHttpCheckRegionsItem = TypedDict("PostMonitorsAnswerHttpCheckRegionsItem", {
    "region": Union[str, None],
    "outcome": Literal["ok", "failing", "no_node"],
    "pages": list[PostMonitorsAnswerHttpCheckRegionsItemPagesItem],
})

PostMonitorsAnswerHttpCheck = TypedDict("PostMonitorsAnswerHttpCheck", {
    "at": str,
    "outcome": Literal["ok", "failing", "unknown"],
    "regions": list[PostMonitorsAnswerHttpCheckRegionsItem],
    "since": str,
})

PostMonitorsAnswer = TypedDict("PostMonitorsAnswer", {
    "id": str,
    "name": str,
    "url": str,
    "routes": list[str],
    "viewports": Any,
    "intervalMinutes": int,
    "alertThreshold": float,
    "options": PostMonitorsAnswerOptions,
    "regions": list[str],
    "agree": int,
    "alerts": PostMonitorsAnswerAlerts,
    "paused": bool,
    "tags": list[str],
    "badgeUrl": Union[str, None],
    "scheduled": bool,
    "hold": Union[Literal["plan", "over"], None],
    "notScheduledBecause": Union[str, None],
    "status": Literal["never", "establishing", "ok", "changed", "down"],
    "nextRunAt": Union[str, None],
    "currentCheck": Union[PostMonitorsAnswerCurrentCheck, None],
    "lastCheck": Union[PostMonitorsAnswerCurrentCheck, None],
    "recentChecks": list[PostMonitorsAnswerRecentChecksItem],
    "lastChangeAt": Union[str, None],
    "uptime": Union[float, None],
    "availability": PostMonitorsAnswerAvailability,
    "maintenance": Union[PostMonitorsAnswerMaintenance, None],
    "certificate": Union[PostMonitorsAnswerCertificate, None],
    "http": Union[PostMonitorsAnswerHttp, None],
    "httpCheck": Union[PostMonitorsAnswerHttpCheck, None],
    "snoozedUntil": Union[str, None],
    "alertingSince": Union[str, None],
    "createdAt": str,
})

GetMonitorsQuery = TypedDict("GetMonitorsQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "tag": NotRequired[str],
    "find": NotRequired[str],
    "status": NotRequired[Literal["ok", "changed", "down"]],
})

GetMonitorsAnswer = TypedDict("GetMonitorsAnswer", {
    "data": list[PostMonitorsAnswer],
    "nextCursor": Union[str, None],
})

PatchMonitorsIdBodyAlertsWebhook = TypedDict("PatchMonitorsIdBodyAlertsWebhook", {
    "url": NotRequired[str],
    "secret": NotRequired[str],
})

PatchMonitorsIdBodyAlerts = TypedDict("PatchMonitorsIdBodyAlerts", {
    "slack": NotRequired[Union[str, None]],
    "email": NotRequired[Union[list[str], None]],
    "pagerduty": NotRequired[Union[str, None]],
    "incidents": NotRequired[Union[PostMonitorsBodyAlertsIncidents, None]],
    "webhook": NotRequired[Union[PatchMonitorsIdBodyAlertsWebhook, None]],
})

PatchMonitorsIdBodyOptions = TypedDict("PatchMonitorsIdBodyOptions", {
    "colorThreshold": NotRequired[Union[float, None]],
    "masks": NotRequired[Union[list[str], None]],
    "hide": NotRequired[Union[list[str], None]],
    "waitForSelector": NotRequired[Union[str, None]],
    "headers": NotRequired[Union[Mapping[str, str], None]],
    "network": NotRequired[Union[list[Union[PostRunBodyOptionsNetworkItem, PostRunBodyOptionsNetworkItem2, PostRunBodyOptionsNetworkItem3, PostRunBodyOptionsNetworkItem4]], None]],
    "clock": NotRequired[Union[str, None]],
    "random": NotRequired[Union[Literal["seeded", "real"], None]],
    "steps": NotRequired[Union[list[Union[PostRunBodyOptionsStepsItem, PostRunBodyOptionsStepsItem2, PostRunBodyOptionsStepsItem3, PostRunBodyOptionsStepsItem4, PostRunBodyOptionsStepsItem5, PostRunBodyOptionsStepsItem6, PostRunBodyOptionsStepsItem7, PostRunBodyOptionsStepsItem8, PostRunBodyOptionsStepsItem9, PostRunBodyOptionsStepsItem10, PostRunBodyOptionsStepsItem11, PostRunBodyOptionsStepsItem12, PostRunBodyOptionsStepsItem13, PostRunBodyOptionsStepsItem14]], None]],
    "session": NotRequired[Union[str, None]],
    "element": NotRequired[Union[Union[str, PostRunBodyOptionsStepsItem14Element], None]],
    "padding": NotRequired[Union[int, None]],
    "fullPage": NotRequired[Union[bool, None]],
    "maxHeight": NotRequired[Union[int, None]],
    "environments": NotRequired[Union[Mapping[str, PostRunBodyOptionsEnvironmentsEntry], None]],
    "defaultEnvironment": NotRequired[Union[bool, None]],
    "sessions": NotRequired[Union[Mapping[str, PostRunBodyOptionsSessionsEntry], None]],
    "ignoreRegions": NotRequired[Union[list[Union[PostRunBodyOptionsIgnoreRegionsItem, PostRunBodyOptionsIgnoreRegionsItem2]], None]],
    "perRoute": NotRequired[Union[Mapping[str, PostMonitorsBodyOptionsPerRouteEntry], None]],
})

PatchMonitorsIdBody = TypedDict("PatchMonitorsIdBody", {
    "name": NotRequired[str],
    "url": NotRequired[str],
    "routes": NotRequired[list[str]],
    "viewports": NotRequired[list[Union[int, PostRunBodyViewportsItem]]],
    "intervalMinutes": NotRequired[int],
    "alertThreshold": NotRequired[float],
    "regions": NotRequired[list[str]],
    "agree": NotRequired[int],
    "http": NotRequired[Union[PostMonitorsBodyHttp, None]],
    "paused": NotRequired[bool],
    "tags": NotRequired[list[str]],
    "alerts": NotRequired[PatchMonitorsIdBodyAlerts],
    "options": NotRequired[PatchMonitorsIdBodyOptions],
})

PostMonitorsIdRunAnswerDriftItem = TypedDict("PostMonitorsIdRunAnswerDriftItem", {
    "route": str,
    "stateName": Union[str, None],
    "environment": Union[str, None],
    "region": Union[str, None],
    "viewport": int,
    "ratio": Union[float, None],
    "faintPixels": int,
    "state": Literal["ok", "new", "changed", "failed"],
    "minor": bool,
})

PostMonitorsIdRunAnswer = TypedDict("PostMonitorsIdRunAnswer", {
    "id": str,
    "runId": str,
    "kind": Literal["scheduled", "manual"],
    "outcome": Union[Literal["established", "ok", "changed", "down", "failed"], None],
    "error": Union[str, None],
    "maintenance": bool,
    "attempts": int,
    "startedAt": str,
    "endedAt": Union[str, None],
    "report": str,
    "regions": list[PostMonitorsAnswerCurrentCheckRegionsItem],
    "agree": int,
    "faintPixels": int,
    "drift": list[PostMonitorsIdRunAnswerDriftItem],
    "warnings": list[GetRunsAnswerDataItemWarningsItem],
})

GetMonitorsIdHistoryAnswer = TypedDict("GetMonitorsIdHistoryAnswer", {
    "data": list[PostMonitorsIdRunAnswer],
    "nextCursor": Union[str, None],
})

GetMonitorsIdHttpChecksAnswerDataItem = TypedDict("GetMonitorsIdHttpChecksAnswerDataItem", {
    "at": str,
    "outcome": Literal["ok", "failing", "unknown"],
    "regions": list[PostMonitorsAnswerHttpCheckRegionsItem],
})

GetMonitorsIdHttpChecksAnswer = TypedDict("GetMonitorsIdHttpChecksAnswer", {
    "data": list[GetMonitorsIdHttpChecksAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetMonitorsIdDriftQuery = TypedDict("GetMonitorsIdDriftQuery", {
    "days": NotRequired[int],
})

GetMonitorsIdDriftAnswerMaintenanceItem = TypedDict("GetMonitorsIdDriftAnswerMaintenanceItem", {
    "title": str,
    "from": str,
    "until": str,
})

GetMonitorsIdDriftAnswerStretchesItem = TypedDict("GetMonitorsIdDriftAnswerStretchesItem", {
    "at": str,
    "checks": int,
    "changed": int,
    "down": int,
    "failed": int,
    "checkId": str,
    "runId": str,
})

GetMonitorsIdDriftAnswerPagesItem = TypedDict("GetMonitorsIdDriftAnswerPagesItem", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "ratios": list[Union[float, None]],
    "faintPixels": list[int],
})

GetMonitorsIdDriftAnswer = TypedDict("GetMonitorsIdDriftAnswer", {
    "from": str,
    "to": str,
    "stretchSeconds": int,
    "threshold": float,
    "maintenance": list[GetMonitorsIdDriftAnswerMaintenanceItem],
    "stretches": list[GetMonitorsIdDriftAnswerStretchesItem],
    "pages": list[GetMonitorsIdDriftAnswerPagesItem],
})

GetMonitorsIdUptimeQuery = TypedDict("GetMonitorsIdUptimeQuery", {
    "days": NotRequired[float],
})

GetMonitorsIdUptimeAnswerMonitorPointsItem = TypedDict("GetMonitorsIdUptimeAnswerMonitorPointsItem", {
    "at": str,
    "up": int,
    "down": int,
    "responseMs": Union[int, None],
})

GetMonitorsIdUptimeAnswerMonitor = TypedDict("GetMonitorsIdUptimeAnswerMonitor", {
    "day": PostMonitorsAnswerAvailabilityDay,
    "week": PostMonitorsAnswerAvailabilityDay,
    "month": PostMonitorsAnswerAvailabilityDay,
    "quarter": PostMonitorsAnswerAvailabilityDay,
    "points": list[GetMonitorsIdUptimeAnswerMonitorPointsItem],
})

GetMonitorsIdUptimeAnswerPagesItem = TypedDict("GetMonitorsIdUptimeAnswerPagesItem", {
    "route": str,
    "day": PostMonitorsAnswerAvailabilityDay,
    "week": PostMonitorsAnswerAvailabilityDay,
    "month": PostMonitorsAnswerAvailabilityDay,
    "quarter": PostMonitorsAnswerAvailabilityDay,
    "points": list[GetMonitorsIdUptimeAnswerMonitorPointsItem],
})

GetMonitorsIdUptimeAnswer = TypedDict("GetMonitorsIdUptimeAnswer", {
    "days": int,
    "unit": Literal["hour", "day"],
    "from": str,
    "to": str,
    "monitor": GetMonitorsIdUptimeAnswerMonitor,
    "pages": list[GetMonitorsIdUptimeAnswerPagesItem],
})

GetMonitorsIdLooksQuery = TypedDict("GetMonitorsIdLooksQuery", {
    "route": str,
    "state": NotRequired[str],
    "environment": NotRequired[str],
    "viewport": float,
})

GetMonitorsIdLooksAnswerLooksItemChange = TypedDict("GetMonitorsIdLooksAnswerLooksItemChange", {
    "status": Literal["comparing", "compared", "failed"],
    "diffRatio": Union[float, None],
    "diffPixels": Union[int, None],
    "faintPixels": int,
    "regions": list[GetScreenshotsRunIdAnswerDataItemRegionsItem],
    "diff": Union[str, None],
    "explanation": Union[GetScreenshotsRunIdAnswerDataItemExplanation, None],
    "thirdParties": list[str],
})

GetMonitorsIdLooksAnswerLooksItemCommit = TypedDict("GetMonitorsIdLooksAnswerLooksItemCommit", {
    "project": str,
    "branch": Union[str, None],
    "sha": str,
    "runId": str,
})

GetMonitorsIdLooksAnswerLooksItem = TypedDict("GetMonitorsIdLooksAnswerLooksItem", {
    "id": str,
    "hash": str,
    "from": str,
    "until": Union[str, None],
    "seenAt": str,
    "checks": int,
    "checkId": str,
    "runId": str,
    "width": Union[int, None],
    "height": Union[int, None],
    "image": str,
    "change": Union[GetMonitorsIdLooksAnswerLooksItemChange, None],
    "commit": Union[GetMonitorsIdLooksAnswerLooksItemCommit, None],
})

GetMonitorsIdLooksAnswer = TypedDict("GetMonitorsIdLooksAnswer", {
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "status": Literal["comparing", "completed"],
    "looks": list[GetMonitorsIdLooksAnswerLooksItem],
})

PostMonitorsIdSnoozeBody = TypedDict("PostMonitorsIdSnoozeBody", {
    "hours": int,
})

PostMonitorsIdSnoozeAnswer = TypedDict("PostMonitorsIdSnoozeAnswer", {
    "snoozedUntil": str,
})

PostMonitorsIdTestAlertAnswerDeliveriesItem = TypedDict("PostMonitorsIdTestAlertAnswerDeliveriesItem", {
    "id": str,
    "channel": str,
})

PostMonitorsIdTestAlertAnswer = TypedDict("PostMonitorsIdTestAlertAnswer", {
    "deliveries": list[PostMonitorsIdTestAlertAnswerDeliveriesItem],
})

GetAdminConsentsAnswerDataItem = TypedDict("GetAdminConsentsAnswerDataItem", {
    "key": str,
    "configurationId": Union[str, None],
    "registeredBy": Union[str, None],
    "registeredAt": str,
})

GetAdminConsentsAnswer = TypedDict("GetAdminConsentsAnswer", {
    "data": list[GetAdminConsentsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PutAdminConsentsKeyParams = TypedDict("PutAdminConsentsKeyParams", {
    "key": str,
})

GetInstallsAnswerDataItemProjectsItem = TypedDict("GetInstallsAnswerDataItemProjectsItem", {
    "id": str,
    "routes": Union[list[str], None],
    "routesFromConfig": Union[bool, None],
    "hasApiKey": bool,
})

GetInstallsAnswerDataItem = TypedDict("GetInstallsAnswerDataItem", {
    "configurationId": str,
    "ownerId": Union[str, None],
    "teamId": Union[str, None],
    "allProjects": bool,
    "installedAt": str,
    "projects": list[GetInstallsAnswerDataItemProjectsItem],
})

GetInstallsAnswer = TypedDict("GetInstallsAnswer", {
    "data": list[GetInstallsAnswerDataItem],
    "nextCursor": Union[str, None],
})

PutInstallsConfigurationIdProjectsProjectIdParams = TypedDict("PutInstallsConfigurationIdProjectsProjectIdParams", {
    "configurationId": str,
    "projectId": str,
})

PutInstallsConfigurationIdProjectsProjectIdBody = TypedDict("PutInstallsConfigurationIdProjectsProjectIdBody", {
    "routes": NotRequired[Union[list[str], None]],
    "routesFromConfig": NotRequired[Union[bool, None]],
    "apiKey": NotRequired[Union[str, None]],
})

PutAdminInstallsConfigurationIdParams = TypedDict("PutAdminInstallsConfigurationIdParams", {
    "configurationId": str,
})

PutAdminInstallsConfigurationIdBody = TypedDict("PutAdminInstallsConfigurationIdBody", {
    "apiKey": Union[str, None],
})

PostAdminInstallsConfigurationIdAdminsBody = TypedDict("PostAdminInstallsConfigurationIdAdminsBody", {
    "login": str,
})

GetBillingAnswer = TypedDict("GetBillingAnswer", {
    "enabled": bool,
    "plan": Literal["free", "pro", "business"],
    "status": Literal["none", "trialing", "active", "past_due", "unpaid", "paused", "incomplete", "canceled"],
    "subscribedPlan": Union[Literal["pro", "business"], None],
    "renewsAt": Union[str, None],
    "cancelsAt": Union[str, None],
    "paymentFailed": bool,
    "graceUntil": Union[str, None],
    "historyKeptUntil": Union[str, None],
})

PostBillingCheckoutBody = TypedDict("PostBillingCheckoutBody", {
    "plan": Literal["pro", "business"],
})

PostBillingCheckoutAnswer = TypedDict("PostBillingCheckoutAnswer", {
    "url": str,
})

GetMonitorsIdDeliveriesAnswerDataItem = TypedDict("GetMonitorsIdDeliveriesAnswerDataItem", {
    "id": str,
    "channel": Literal["slack", "email", "pagerduty", "incidents", "webhook"],
    "kind": Literal["unchecked", "checked", "certificate", "renewed", "failing", "passing", "changed", "down", "recovered", "test", "replaced"],
    "receiver": str,
    "status": Literal["queued", "sent", "failed", "dropped"],
    "tries": int,
    "answer": Union[str, None],
    "createdAt": str,
    "nextTryAt": Union[str, None],
    "endedAt": Union[str, None],
})

GetMonitorsIdDeliveriesAnswer = TypedDict("GetMonitorsIdDeliveriesAnswer", {
    "data": list[GetMonitorsIdDeliveriesAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetMonitorsIdAlertsAnswerAlertsItem = TypedDict("GetMonitorsIdAlertsAnswerAlertsItem", {
    "at": str,
    "kind": Literal["changed", "down", "recovered"],
    "checkId": str,
})

GetMonitorsIdAlertsAnswerSnoozesItem = TypedDict("GetMonitorsIdAlertsAnswerSnoozesItem", {
    "from": str,
    "until": str,
})

GetMonitorsIdAlertsAnswer = TypedDict("GetMonitorsIdAlertsAnswer", {
    "alerts": list[GetMonitorsIdAlertsAnswerAlertsItem],
    "snoozes": list[GetMonitorsIdAlertsAnswerSnoozesItem],
    "receivers": list[GetMonitorsIdDeliveriesAnswerDataItem],
})

GetAlertsChannelsAnswer = TypedDict("GetAlertsChannelsAnswer", {
    "email": bool,
})

GetProjectsProjectEmailAnswer = TypedDict("GetProjectsProjectEmailAnswer", {
    "project": str,
    "addresses": list[str],
    "unsubscribed": list[str],
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
})

PutProjectsProjectEmailBody = TypedDict("PutProjectsProjectEmailBody", {
    "addresses": list[str],
})

GetProjectsProjectChatAnswerLastMessage = TypedDict("GetProjectsProjectChatAnswerLastMessage", {
    "kind": Literal["digest", "test"],
    "status": Literal["queued", "sent", "failed", "dropped"],
    "tries": int,
    "answer": Union[str, None],
    "createdAt": str,
    "nextTryAt": Union[str, None],
    "endedAt": Union[str, None],
})

GetProjectsProjectChatAnswer = TypedDict("GetProjectsProjectChatAnswer", {
    "project": str,
    "slack": Union[str, None],
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
    "lastMessage": Union[GetProjectsProjectChatAnswerLastMessage, None],
})

PutProjectsProjectChatBody = TypedDict("PutProjectsProjectChatBody", {
    "slack": Union[str, None],
})

GetTeamsIdChatChannelsAnswer = TypedDict("GetTeamsIdChatChannelsAnswer", {
    "data": list[GetProjectsProjectChatAnswer],
    "nextCursor": Union[str, None],
})

GetTeamsIdChatAppsAnswerDataItem = TypedDict("GetTeamsIdChatAppsAnswerDataItem", {
    "tool": Literal["slack", "discord"],
    "requestUrl": str,
    "isSet": bool,
    "changedBy": Union[str, None],
    "changedAt": Union[str, None],
})

GetTeamsIdChatAppsAnswer = TypedDict("GetTeamsIdChatAppsAnswer", {
    "data": list[GetTeamsIdChatAppsAnswerDataItem],
})

PutTeamsIdChatAppsToolParams = TypedDict("PutTeamsIdChatAppsToolParams", {
    "id": str,
    "tool": str,
})

PutTeamsIdChatAppsToolBody = TypedDict("PutTeamsIdChatAppsToolBody", {
    "secret": str,
})

GetIncidentsQuery = TypedDict("GetIncidentsQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "state": NotRequired[Literal["unresolved", "open", "acknowledged", "resolved"]],
    "monitor": NotRequired[str],
})

GetIncidentsAnswerDataItemMonitor = TypedDict("GetIncidentsAnswerDataItemMonitor", {
    "id": str,
    "name": str,
})

GetIncidentsAnswerDataItem = TypedDict("GetIncidentsAnswerDataItem", {
    "id": str,
    "monitor": GetIncidentsAnswerDataItemMonitor,
    "kind": Literal["changed", "down", "unchecked", "certificate", "failing"],
    "title": str,
    "state": Literal["open", "acknowledged", "resolved"],
    "checkId": str,
    "runId": Union[str, None],
    "openedAt": str,
    "acknowledgedAt": Union[str, None],
    "acknowledgedBy": Union[str, None],
    "assignee": Union[GetRunsIdCommentsAnswerDataItemMentionsItem, None],
    "resolvedAt": Union[str, None],
    "resolution": Union[Literal["recovered", "approved", "replaced", "manual"], None],
    "resolvedBy": Union[str, None],
})

GetIncidentsAnswer = TypedDict("GetIncidentsAnswer", {
    "data": list[GetIncidentsAnswerDataItem],
    "nextCursor": Union[str, None],
})

GetIncidentsIdAnswerTimelineItem = TypedDict("GetIncidentsIdAnswerTimelineItem", {
    "at": str,
    "kind": Literal["opened"],
    "text": str,
})

GetIncidentsIdAnswerTimelineItem2 = TypedDict("GetIncidentsIdAnswerTimelineItem2", {
    "at": str,
    "kind": Literal["confirmed"],
    "attempts": int,
})

GetIncidentsIdAnswerTimelineItem3 = TypedDict("GetIncidentsIdAnswerTimelineItem3", {
    "at": str,
    "kind": Literal["notified"],
    "channel": Literal["slack", "email", "pagerduty", "incidents", "webhook"],
    "receiver": str,
    "message": Literal["unchecked", "checked", "certificate", "renewed", "failing", "passing", "changed", "down", "recovered", "test", "replaced"],
    "status": Literal["queued", "sent", "failed", "dropped"],
    "answer": Union[str, None],
})

GetIncidentsIdAnswerTimelineItem4 = TypedDict("GetIncidentsIdAnswerTimelineItem4", {
    "at": str,
    "kind": Literal["acknowledged"],
    "by": str,
})

GetIncidentsIdAnswerTimelineItem5 = TypedDict("GetIncidentsIdAnswerTimelineItem5", {
    "at": str,
    "kind": Literal["assigned"],
    "by": str,
    "login": Union[str, None],
})

GetIncidentsIdAnswerTimelineItem6 = TypedDict("GetIncidentsIdAnswerTimelineItem6", {
    "at": str,
    "kind": Literal["commented"],
    "by": str,
    "text": str,
})

GetIncidentsIdAnswerTimelineItem7 = TypedDict("GetIncidentsIdAnswerTimelineItem7", {
    "at": str,
    "kind": Literal["resolved"],
    "by": Union[str, None],
    "resolution": Literal["recovered", "approved", "replaced", "manual"],
    "text": Union[str, None],
})

GetIncidentsIdAnswer = TypedDict("GetIncidentsIdAnswer", {
    "id": str,
    "monitor": GetIncidentsAnswerDataItemMonitor,
    "kind": Literal["changed", "down", "unchecked", "certificate", "failing"],
    "title": str,
    "state": Literal["open", "acknowledged", "resolved"],
    "checkId": str,
    "runId": Union[str, None],
    "openedAt": str,
    "acknowledgedAt": Union[str, None],
    "acknowledgedBy": Union[str, None],
    "assignee": Union[GetRunsIdCommentsAnswerDataItemMentionsItem, None],
    "resolvedAt": Union[str, None],
    "resolution": Union[Literal["recovered", "approved", "replaced", "manual"], None],
    "resolvedBy": Union[str, None],
    "timeline": list[Union[GetIncidentsIdAnswerTimelineItem, GetIncidentsIdAnswerTimelineItem2, GetIncidentsIdAnswerTimelineItem3, GetIncidentsIdAnswerTimelineItem4, GetIncidentsIdAnswerTimelineItem5, GetIncidentsIdAnswerTimelineItem6, GetIncidentsIdAnswerTimelineItem7]],
})

PutIncidentsIdAssigneeBody = TypedDict("PutIncidentsIdAssigneeBody", {
    "login": Union[str, None],
})

PostIncidentsIdCommentsBody = TypedDict("PostIncidentsIdCommentsBody", {
    "text": str,
})

PostIncidentsIdResolveBody = TypedDict("PostIncidentsIdResolveBody", {
    "note": NotRequired[str],
})

GetMaintenanceAnswerDataItemSchedule = TypedDict("GetMaintenanceAnswerDataItemSchedule", {
    "kind": Literal["once"],
    "from": str,
    "until": str,
})

GetMaintenanceAnswerDataItemSchedule2 = TypedDict("GetMaintenanceAnswerDataItemSchedule2", {
    "kind": Literal["weekly"],
    "weekdays": Any,
    "start": str,
    "durationMinutes": int,
    "timeZone": str,
})

GetMaintenanceAnswerDataItemNext = TypedDict("GetMaintenanceAnswerDataItemNext", {
    "from": str,
    "until": str,
})

GetMaintenanceAnswerDataItem = TypedDict("GetMaintenanceAnswerDataItem", {
    "id": str,
    "title": str,
    "monitors": Union[list[str], None],
    "mode": Literal["pause", "quiet"],
    "schedule": Union[GetMaintenanceAnswerDataItemSchedule, GetMaintenanceAnswerDataItemSchedule2],
    "isActive": bool,
    "next": Union[GetMaintenanceAnswerDataItemNext, None],
    "createdBy": str,
    "createdAt": str,
})

GetMaintenanceAnswer = TypedDict("GetMaintenanceAnswer", {
    "data": list[GetMaintenanceAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostMaintenanceBodySchedule = TypedDict("PostMaintenanceBodySchedule", {
    "kind": Literal["weekly"],
    "weekdays": list[int],
    "start": str,
    "durationMinutes": int,
    "timeZone": str,
})

PostMaintenanceBody = TypedDict("PostMaintenanceBody", {
    "title": str,
    "monitors": NotRequired[Union[list[str], None]],
    "mode": NotRequired[Literal["pause", "quiet"]],
    "schedule": Union[GetMaintenanceAnswerDataItemSchedule, PostMaintenanceBodySchedule],
})

GetStatusPagesAnswerDataItemComponentsItem = TypedDict("GetStatusPagesAnswerDataItemComponentsItem", {
    "monitorId": str,
    "name": str,
})

GetStatusPagesAnswerDataItem = TypedDict("GetStatusPagesAnswerDataItem", {
    "id": str,
    "title": str,
    "slug": str,
    "components": list[GetStatusPagesAnswerDataItemComponentsItem],
    "hasPassword": bool,
    "url": str,
    "changedBy": str,
    "changedAt": str,
})

GetStatusPagesAnswer = TypedDict("GetStatusPagesAnswer", {
    "data": list[GetStatusPagesAnswerDataItem],
    "nextCursor": Union[str, None],
})

PostStatusPagesBodyComponentsItem = TypedDict("PostStatusPagesBodyComponentsItem", {
    "monitorId": str,
    "name": str,
})

PostStatusPagesBody = TypedDict("PostStatusPagesBody", {
    "title": str,
    "slug": str,
    "components": list[PostStatusPagesBodyComponentsItem],
    "password": NotRequired[Union[str, None]],
})

GetWebhooksAnswerDataItem = TypedDict("GetWebhooksAnswerDataItem", {
    "id": str,
    "url": str,
    "events": list[Literal["run.completed", "run.reviewed", "build.finalized", "monitor.changed", "monitor.down", "monitor.recovered", "monitor.unchecked", "monitor.checked", "monitor.certificate", "monitor.renewed", "monitor.failing", "monitor.passing", "baseline.changed", "comment.created"]],
    "project": Union[str, None],
    "description": str,
    "status": Literal["active", "paused"],
    "pausedBecause": Union[Literal["member", "failures", "gone"], None],
    "pausedAt": Union[str, None],
    "failingSince": Union[str, None],
    "previousSecretUntil": Union[str, None],
    "createdBy": str,
    "createdAt": str,
})

GetWebhooksAnswer = TypedDict("GetWebhooksAnswer", {
    "data": list[GetWebhooksAnswerDataItem],
})

PostWebhooksBody = TypedDict("PostWebhooksBody", {
    "url": str,
    "events": list[Literal["run.completed", "run.reviewed", "build.finalized", "monitor.changed", "monitor.down", "monitor.recovered", "monitor.unchecked", "monitor.checked", "monitor.certificate", "monitor.renewed", "monitor.failing", "monitor.passing", "baseline.changed", "comment.created"]],
    "project": NotRequired[Union[str, None]],
    "description": NotRequired[str],
})

PostWebhooksAnswer = TypedDict("PostWebhooksAnswer", {
    "id": str,
    "url": str,
    "events": list[Literal["run.completed", "run.reviewed", "build.finalized", "monitor.changed", "monitor.down", "monitor.recovered", "monitor.unchecked", "monitor.checked", "monitor.certificate", "monitor.renewed", "monitor.failing", "monitor.passing", "baseline.changed", "comment.created"]],
    "project": Union[str, None],
    "description": str,
    "status": Literal["active", "paused"],
    "pausedBecause": Union[Literal["member", "failures", "gone"], None],
    "pausedAt": Union[str, None],
    "failingSince": Union[str, None],
    "previousSecretUntil": Union[str, None],
    "createdBy": str,
    "createdAt": str,
    "secret": str,
})

PatchWebhooksIdBody = TypedDict("PatchWebhooksIdBody", {
    "url": NotRequired[str],
    "events": NotRequired[list[Literal["run.completed", "run.reviewed", "build.finalized", "monitor.changed", "monitor.down", "monitor.recovered", "monitor.unchecked", "monitor.checked", "monitor.certificate", "monitor.renewed", "monitor.failing", "monitor.passing", "baseline.changed", "comment.created"]]],
    "project": NotRequired[Union[str, None]],
    "description": NotRequired[str],
    "status": NotRequired[Literal["active", "paused"]],
})

PostWebhooksIdRotateSecretBody = TypedDict("PostWebhooksIdRotateSecretBody", {
    "overlapHours": NotRequired[int],
})

PostWebhooksIdTestAnswer = TypedDict("PostWebhooksIdTestAnswer", {
    "id": str,
    "eventId": str,
    "event": str,
    "status": Literal["queued", "sent", "failed", "dropped"],
    "attempts": int,
    "answer": Union[str, None],
    "isReplay": bool,
    "createdAt": str,
    "nextAttemptAt": Union[str, None],
    "endedAt": Union[str, None],
})

GetWebhooksIdDeliveriesQuery = TypedDict("GetWebhooksIdDeliveriesQuery", {
    "limit": NotRequired[int],
    "cursor": NotRequired[str],
    "status": NotRequired[Literal["queued", "sent", "failed", "dropped"]],
})

GetWebhooksIdDeliveriesAnswer = TypedDict("GetWebhooksIdDeliveriesAnswer", {
    "data": list[PostWebhooksIdTestAnswer],
    "nextCursor": Union[str, None],
})

GetWebhooksIdDeliveriesDeliveryParams = TypedDict("GetWebhooksIdDeliveriesDeliveryParams", {
    "id": str,
    "delivery": str,
})

GetWebhooksIdDeliveriesDeliveryAnswer = TypedDict("GetWebhooksIdDeliveriesDeliveryAnswer", {
    "id": str,
    "eventId": str,
    "event": str,
    "status": Literal["queued", "sent", "failed", "dropped"],
    "attempts": int,
    "answer": Union[str, None],
    "isReplay": bool,
    "createdAt": str,
    "nextAttemptAt": Union[str, None],
    "endedAt": Union[str, None],
    "body": Mapping[str, Any],
})

GetAdminNodesAnswerDataItemRendering = TypedDict("GetAdminNodesAnswerDataItemRendering", {
    "busy": int,
    "capacity": int,
    "failures": int,
    "sandbox": Literal["unknown", "on", "off", "refused"],
})

GetAdminNodesAnswerDataItemFingerprint = TypedDict("GetAdminNodesAnswerDataItemFingerprint", {
    "id": str,
    "browser": str,
    "fonts": str,
    "fontCount": int,
    "flags": str,
    "pixels": str,
})

GetAdminNodesAnswerDataItem = TypedDict("GetAdminNodesAnswerDataItem", {
    "id": str,
    "hostname": str,
    "services": list[str],
    "version": Union[str, None],
    "startedAt": Union[str, None],
    "region": Union[str, None],
    "lastSeenAt": str,
    "cpuPercent": Union[float, None],
    "memoryBytes": Union[int, None],
    "rendering": Union[GetAdminNodesAnswerDataItemRendering, None],
    "fingerprint": Union[GetAdminNodesAnswerDataItemFingerprint, None],
})

GetAdminNodesAnswerFaultsItemGroupsItem = TypedDict("GetAdminNodesAnswerFaultsItemGroupsItem", {
    "rendering": str,
    "nodes": list[str],
})

GetAdminNodesAnswerFaultsItem = TypedDict("GetAdminNodesAnswerFaultsItem", {
    "code": Literal["mixed_renderers", "no_renderer"],
    "message": str,
    "differs": list[Literal["browser", "fonts", "flags", "pixels"]],
    "groups": list[GetAdminNodesAnswerFaultsItemGroupsItem],
})

GetAdminNodesAnswerQueuesItem = TypedDict("GetAdminNodesAnswerQueuesItem", {
    "queue": Literal["capture", "compare", "result"],
    "waiting": int,
    "underWay": int,
    "oldestAt": Union[str, None],
})

GetAdminNodesAnswerRecentFailuresItem = TypedDict("GetAdminNodesAnswerRecentFailuresItem", {
    "at": str,
    "runId": str,
    "screenshotId": str,
    "route": str,
    "state": Union[str, None],
    "environment": Union[str, None],
    "viewport": int,
    "error": Union[str, None],
})

GetAdminNodesAnswer = TypedDict("GetAdminNodesAnswer", {
    "data": list[GetAdminNodesAnswerDataItem],
    "faults": list[GetAdminNodesAnswerFaultsItem],
    "queues": Union[list[GetAdminNodesAnswerQueuesItem], None],
    "recentFailures": Union[list[GetAdminNodesAnswerRecentFailuresItem], None],
})
