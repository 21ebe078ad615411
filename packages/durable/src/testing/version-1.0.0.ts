/** A retry session of version 1.0.0, the example of its data model. */
export const SESSION_1_0_0 = {
  session_id: 'browser_state_timeout_1706534400000',
  policy_id: 'browser_state_timeout',
  operation: 'save_state',
  start_time: '2026-01-29T12:00:00.000Z',
  end_time: '2026-01-29T12:00:35.500Z',
  attempts: [
    {
      attempt_number: 1,
      timestamp: '2026-01-29T12:00:00.000Z',
      delay: 0.0,
      error: {
        type: 'TimeoutError',
        message: 'Operation timed out after 30 seconds',
      },
      success: false,
      duration: 30.5,
    },
    {
      attempt_number: 2,
      timestamp: '2026-01-29T12:00:32.000Z',
      delay: 1.5,
      success: true,
      duration: 3.5,
    },
  ],
  final_result: {
    state_id: 'abc123',
    saved: true,
  },
  success: true,
  context: {
    state_id: 'abc123',
    user_id: 'user123',
  },
};

/** Retry metrics of version 1.0.0, the example of its data model. */
export const METRICS_1_0_0 = {
  time_window_start: '2026-01-29T00:00:00.000Z',
  time_window_end: '2026-01-29T23:59:59.999Z',
  total_sessions: 1000,
  successful_sessions: 950,
  failed_sessions: 50,
  total_attempts: 1200,
  average_attempts_per_session: 1.2,
  max_attempts_in_session: 3,
  total_duration: 3600.0,
  average_duration_per_session: 3.6,
  by_policy: {
    browser_state_timeout: {
      sessions: 500,
      success_rate: 0.95,
      average_attempts: 1.1,
    },
    navigation_retry_with_delay: {
      sessions: 300,
      success_rate: 0.97,
      average_attempts: 1.3,
    },
  },
  by_subsystem: {
    browser: {
      sessions: 600,
      success_rate: 0.96,
      average_attempts: 1.15,
    },
    navigation: {
      sessions: 300,
      success_rate: 0.97,
      average_attempts: 1.3,
    },
    telemetry: {
      sessions: 100,
      success_rate: 0.9,
      average_attempts: 1.4,
    },
  },
};
