#ifndef FAR_SHMEM_TEAMS_H
#define FAR_SHMEM_TEAMS_H
/* Teams, contexts and sessions. P is shmem or pshmem. */

#include "far_shmem/constants.h"

#define FAR_SHMEM_DECLARE_TEAMS(P)                                                            \
  int P##_team_my_pe(shmem_team_t team);                                                      \
  int P##_team_n_pes(shmem_team_t team);                                                      \
  int P##_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);       \
  int P##_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);  \
  int P##_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,       \
                             const shmem_team_config_t* config, long config_mask,             \
                             shmem_team_t* new_team);                                         \
  int P##_team_split_2d(shmem_team_t parent_team, int xrange,                                 \
                        const shmem_team_config_t* xaxis_config, long xaxis_mask,             \
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,    \
                        long yaxis_mask, shmem_team_t* yaxis_team);                           \
  void P##_team_destroy(shmem_team_t team);                                                   \
                                                                                              \
  int P##_ctx_create(long options, shmem_ctx_t* ctx);                                         \
  int P##_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);                 \
  int P##_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);                                  \
  void P##_ctx_destroy(shmem_ctx_t ctx);                                                      \
  void P##_ctx_session_start(shmem_ctx_t ctx, long options,                                   \
                             const shmem_ctx_session_config_t* config, long config_mask);     \
  void P##_ctx_session_stop(shmem_ctx_t ctx);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_DECLARE_TEAMS(shmem)
#ifdef __cplusplus
}
#endif

#endif
